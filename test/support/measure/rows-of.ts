import { superuser } from '#test/support/database.ts'

let statement: Promise<{ names: string[]; text: string }> | undefined

/** Every row of a store as text, by table, past row-level security; includes jobs and stored responses. */
export async function rowsOf({ id }: { id: string }): Promise<Record<string, string[]>> {
  statement ??= writeStatement()
  const { names, text } = await statement
  const { rows: lines } = await superuser.query({ name: 'rows-of', text, values: [id], rowMode: 'array' })
  const found = Map.groupBy(lines, ([name]) => name)
  return Object.fromEntries(names.map((name) => [name, (found.get(name) ?? []).map(([, row]) => row)]))
}

/** One statement for all tables, planned once: hundreds of tests run it. */
async function writeStatement() {
  const { rows } = await superuser.query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'store_id' order by 1`)
  const selects: Record<string, string> = {
    ...Object.fromEntries(rows.map(({ name }) => [name, `${name} t where store_id = $1`])),
    stores: 'stores t where id = $1',
    jobs: "pgboss.job t where data->>'storeId' = $1::uuid::text",
  }
  const all = Object.entries(selects).map(([name, from]) => `select '${name}', t::text from ${from}`)
  return { names: Object.keys(selects), text: `${all.join(' union all ')} order by 1, 2` }
}
