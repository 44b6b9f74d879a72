import assert from 'node:assert/strict'
import { test } from 'node:test'
import { superuser } from '#test/support/database.ts'

interface ForeignKey {
  name: string
  columns: string
  is_indexed: boolean
}

/**
 * The foreign keys to tables with rows of stores, and whether an index begins with their columns. An index of the rows
 * whose column is not null is as good, because such a key refers to nothing if it is null.
 */
async function foreignKeys(): Promise<ForeignKey[]> {
  const { rows } = await superuser.query<ForeignKey>(`
    select k.conrelid::regclass::text as name,
      (select string_agg(a.attname, ', ' order by n.ordinal)
        from unnest(k.conkey) with ordinality n (column_number, ordinal)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.column_number) as columns,
      exists (
        select from pg_index i
        where i.indrelid = k.conrelid
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
            select format('(%I IS NOT NULL)', a.attname) from pg_attribute a
            where a.attrelid = k.conrelid and a.attnum = any(k.conkey)))
          and (i.indkey::smallint[])[0:cardinality(k.conkey) - 1] @> k.conkey) as is_indexed
    from pg_constraint k
    join pg_attribute s on s.attrelid = k.confrelid and s.attname = 'store_id'
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
    order by 1, 2`)
  return rows
}

// To delete a row, PostgreSQL looks for rows that refer to it. Without an index it reads all rows of the store each
// time, so the time of a purge grew with the square of the orders.
test('each foreign key to a row of a store has an index that begins with its columns', async () => {
  const keys = await foreignKeys()

  const unindexed = keys.filter(({ is_indexed }) => !is_indexed)

  assert.ok(keys.length > 100)
  assert.deepEqual(
    unindexed.map(({ name, columns }) => `${name} (${columns})`),
    [],
  )
})
