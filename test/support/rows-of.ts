import pg from 'pg'
import { superuserDatabaseUrl } from './database.ts'

/** Every row of a store as text, by table, past row-level security; jobs and kept answers are among them. */
export async function rowsOf({ id }: { id: string }): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: superuserDatabaseUrl })
  await client.connect()
  const { rows } = await client.query(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'store_id' order by 1`)
  const selects: Record<string, string> = {
    ...Object.fromEntries(rows.map(({ name }) => [name, `${name} t where store_id = $1`])),
    stores: 'stores t where id = $1',
    jobs: "pgboss.job t where data->>'storeId' = $1::uuid::text",
  }
  const all = Object.entries(selects).map(([name, from]) => `select '${name}', t::text from ${from}`)
  const { rows: lines } = await client.query({
    text: `${all.join(' union all ')} order by 1, 2`,
    values: [id],
    rowMode: 'array',
  })
  await client.end()
  const found = Map.groupBy(lines, ([name]) => name)
  return Object.fromEntries(
    Object.keys(selects).map((name) => [name, (found.get(name) ?? []).map(([, text]) => text)]),
  )
}
