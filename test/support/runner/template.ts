import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'

export const TEMPLATE = 'commerce_template'
const ROLE = 'commerce'
const PASSWORD = 'commerce'

/** Runs SQL as the superuser. */
export async function runAsSuperuser(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates the application's role, which row-level security applies to. Returns its URL without a database. */
export async function makeRole(superuserUrl: string): Promise<string> {
  await runAsSuperuser(
    superuserUrl,
    `do $$ begin create role ${ROLE} login nosuperuser nobypassrls password '${PASSWORD}';
     exception when duplicate_object then null; end $$`,
  )
  const url = new URL(superuserUrl)
  url.username = ROLE
  url.password = PASSWORD
  return url.href
}

/** Migrates the template database that the tests copy. */
export async function makeTemplate(superuserUrl: string, roleUrl: string): Promise<void> {
  await runAsSuperuser(superuserUrl, `create database ${TEMPLATE} owner ${ROLE}`)
  const child = spawn(process.execPath, ['migrations/migrate.ts'], {
    env: { ...process.env, DATABASE_URL: databaseUrl(roleUrl, TEMPLATE) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The migrations failed')
}

export function databaseUrl(url: string, name: string): string {
  const named = new URL(url)
  named.pathname = `/${name}`
  return named.href
}
