import pg from 'pg'
import { superuserDatabaseUrl } from './database.ts'

/** Answers to repeated requests are kept for refusals too, and are no change of a store. */
const NOT_COMPARED = ['idempotency_keys']

/** A fingerprint of every table's rows, of all stores: equal before and after means that nothing was written. */
export async function contents(): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: superuserDatabaseUrl })
  await client.connect()
  const { rows } = await client.query(
    `select tablename from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1`,
    [NOT_COMPARED],
  )
  const prints: Record<string, string> = {}
  for (const { tablename } of rows) {
    const { rows: found } = await client.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as print from ${tablename} t`,
    )
    prints[tablename] = found[0].print
  }
  await client.end()
  return prints
}
