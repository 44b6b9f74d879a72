import type { Knex } from 'knex'

/**
 * Creates a table whose rows belong to a store. `columns` must end with a primary key that starts with `store_id`.
 * Row-level security is forced, so it applies to the owning role too. A query without a store fails: without
 * `missing_ok`, an unset `app.store_id` is an error, not an empty result.
 *
 * Rows that belong to another row of the store need no foreign key to the store: they cannot exist without that row.
 * PostgreSQL checks each key of each row, and an order has some twenty rows.
 */
export async function storeTable(knex: Knex, name: string, columns: string): Promise<void> {
  const reference = belongsToRow(columns) ? '' : 'references stores (id)'
  await knex.raw(`create table ${name} (store_id uuid not null ${reference}, ${columns})`)
  await knex.raw(`alter table ${name} enable row level security, force row level security`)
  await knex.raw(
    `create policy own_store on ${name}
       using (store_id = current_setting('app.store_id')::uuid)
       with check (store_id = current_setting('app.store_id')::uuid)`,
  )
}

/** Whether a column that is never null belongs to a foreign key to a row of the same store. */
const belongsToRow = (columns: string): boolean =>
  [...columns.matchAll(/foreign key \(store_id, (\w+)\)/g)].some(([, column]) =>
    new RegExp(`\\b${column} uuid not null`).test(columns),
  )
