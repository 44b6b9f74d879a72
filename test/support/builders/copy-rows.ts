import type { Knex } from 'knex'

interface Copy {
  table: string
  /** The column by which the model's rows are found, and its value. */
  of: Record<string, string>
  /** SQL of a table expression with a row for each copy, e.g. `generate_series(1, 100) n`. */
  from: string
  /** SQL of names and values that a copy has of its own, e.g. `'slug', 'copy-' || n`. Each has an id of its own. */
  changes: string
  /** The values of the `?` in `changes` and `from`, in this sequence. */
  values?: (string | number | string[])[]
}

/** Copies rows of a table in one statement. Returns the ids of the copies. */
export async function copyRows(
  knex: Knex,
  { table, of, from, changes, values = [] }: Copy,
): Promise<string[]> {
  const { rows } = await knex.raw(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = ? and is_generated = 'NEVER'`,
    [table],
  )
  const [[key, model] = []] = Object.entries(of)
  const { columns } = rows[0]
  const copied = await knex.raw(
    `insert into ${table} (${columns}) select ${columns} from (
       select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${changes}))).*
       from ${table} t, ${from} where t.${key} = ?) copies returning id`,
    [...values, model ?? ''],
  )
  return copied.rows.map(({ id }: { id: string }) => id)
}
