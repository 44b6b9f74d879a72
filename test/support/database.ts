import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { resetConfig } from '#shared/platform/config/config.ts'
import { closeDb } from '#shared/platform/db/db.ts'
import { OBJECT_IN_USE, sqlState } from '#shared/platform/db/sql-error.ts'
import { closeQueues } from '#shared/platform/jobs/sender.ts'
import { stopListening } from '#shared/platform/notify/listen.ts'
// Loaded before the first connection, which it would not count otherwise.
import '#test/support/measure/count-statements.ts'
import { databaseUrl, runAsSuperuser, TEMPLATE } from '#test/support/runner/template.ts'

// Importing this file connects the process to a database of its own. Files that share a process change it between them.
const superuserUrl = required('TEST_POSTGRES_URL')

/** A superuser connection to the file's database, for tests that bypass row-level security. */
export let superuser: pg.Pool

const first = await createDatabase()
await useDatabase(first)
after(() => dropDatabase(first))

/** Creates a database, a copy of the migrated template. Returns its name. */
export async function createDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await runAsSuperuser(
    superuserUrl,
    // Copying files takes half the time of writing the copy to the log.
    `create database ${name} template ${TEMPLATE} owner commerce strategy file_copy`,
  )
  return name
}

/** Connects this process to the database of that name alone. */
export async function useDatabase(name: string): Promise<void> {
  await disconnect()
  process.env.DATABASE_URL = databaseUrl(required('TEST_ROLE_URL'), name)
  resetConfig()
  superuser = new pg.Pool({ connectionString: databaseUrl(superuserUrl, name), max: 1 })
  // The database may be dropped while the server still closes a connection. A query that fails rejects all the same.
  superuser.on('connect', (client) => client.on('error', () => {}))
}

/** Disconnects this process from its database and drops the one of that name. */
export async function dropDatabase(name: string): Promise<void> {
  await disconnect()
  // The server waits some seconds for connections that are closing. Those that a test left open are cut.
  try {
    await runAsSuperuser(superuserUrl, `drop database ${name}`)
  } catch (error) {
    if (sqlState(error) !== OBJECT_IN_USE) throw error
    await runAsSuperuser(superuserUrl, `drop database ${name} with (force)`)
  }
}

async function disconnect(): Promise<void> {
  await stopListening()
  await closeQueues()
  await closeDb()
  if (superuser && !superuser.ended) await superuser.end()
}

function required(variable: string): string {
  const value = process.env[variable]
  if (!value) throw new Error('Run tests with `npm test -- <files>`: it starts their PostgreSQL')
  return value
}
