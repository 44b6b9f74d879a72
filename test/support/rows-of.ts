import pg from 'pg'
import { superuserDatabaseUrl } from './database.ts'

/** Every row of a store as text, by table, past row-level security; jobs and kept answers are among them. */
export async function rowsOf({ id }: { id: string }): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: superuserDatabaseUrl })
  await client.connect()
  const { rows } = await client.query(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'store_id' order by 1`)
  const queries = [
    ...rows.map(({ name }) => ({ name, sql: `select t::text from ${name} t where store_id = $1` })),
    { name: 'stores', sql: 'select t::text from stores t where id = $1' },
    { name: 'jobs', sql: "select t::text from pgboss.job t where data->>'storeId' = $1::uuid::text" },
  ]
  const found: Record<string, string[]> = {}
  for (const { name, sql } of queries) {
    const { rows: lines } = await client.query(`${sql} order by 1`, [id])
    found[name] = lines.map(({ t }) => t)
  }
  await client.end()
  return found
}
