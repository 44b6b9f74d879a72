import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { closeDb } from '#shared/platform/db/db.ts'
import { OBJECT_IN_USE, sqlState } from '#shared/platform/db/sql-error.ts'
import { closeQueues } from '#shared/platform/jobs/enqueue.ts'
import { stopListening } from '#shared/platform/notify/listen.ts'
// Loaded before the first connection, which it would not count otherwise: test files share a process.
import './count-statements.ts'
import { asSuperuser, databaseUrl, TEMPLATE } from './template.ts'

// Importing this file gives the test file a database of its own, a copy of the migrated template.
const superuserUrl = required('TEST_POSTGRES_URL')
const name = `test_${randomBytes(6).toString('hex')}`

await asSuperuser(superuserUrl, `create database ${name} template ${TEMPLATE} owner commerce`)
process.env.DATABASE_URL = databaseUrl(required('TEST_ROLE_URL'), name)

/** A superuser connection to this file's database, for tests that bypass row-level security. */
export const superuser = new pg.Pool({ connectionString: databaseUrl(superuserUrl, name), max: 1 })
// The database may be dropped while the server still closes a connection. A query that fails rejects all the same.
superuser.on('connect', (client) => client.on('error', () => {}))

after(async () => {
  await stopListening()
  await closeQueues()
  await closeDb()
  await superuser.end()
  await dropDatabase()
})

/** The server waits some seconds for connections that are closing. Those that a test left open are cut. */
async function dropDatabase(): Promise<void> {
  try {
    await asSuperuser(superuserUrl, `drop database ${name}`)
  } catch (error) {
    if (sqlState(error) !== OBJECT_IN_USE) throw error
    await asSuperuser(superuserUrl, `drop database ${name} with (force)`)
  }
}

function required(variable: string): string {
  const value = process.env[variable]
  if (!value) throw new Error('Run tests with `npm test -- <files>`: it starts their PostgreSQL')
  return value
}
