import { join } from 'node:path'
import pg from 'pg'
import { type Postgres, startPostgres } from '#test/sandbox/postgres.ts'
import { databaseUrl, makeRole } from '#test/support/runner/template.ts'

const NAME = 'commerce'

/** The service's database: `DATABASE_URL` if set, else a PostgreSQL of the sandbox. */
export async function openDatabase(dir: string): Promise<{ url: string; postgres: Postgres | null }> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, postgres: null }
  const postgres = await startPostgres({ dataDir: join(dir, 'postgres'), durable: true, maxConnections: 100 })
  const roleUrl = await makeRole(postgres.url)
  await makeDatabase(postgres.url)
  return { url: databaseUrl(roleUrl, NAME), postgres }
}

async function makeDatabase(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [NAME])
  if (!rowCount) await client.query(`create database ${NAME} owner commerce`)
  await client.end()
}
