import knexModule, { type Knex } from 'knex'
import pg from 'pg'
import { config } from './config.ts'
import { log } from './log.ts'

const INT8 = 20
const DATE = 1082

/** bigint columns arrive as bigint (money is one), dates as the text they are; all else as pg reads it. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return BigInt
    if (oid === DATE) return (text: string) => text
    return pg.types.getTypeParser(oid, format)
  },
}

let opened: Knex | undefined

/** The process's connection pool. Only `inStore` and platform code use it; domains get a `StoreTx`. */
export function db(): Knex {
  opened ??= knexModule({
    client: 'pg',
    connection: {
      connectionString: config().DATABASE_URL,
      types,
      application_name: process.env.PROCESS_NAME ?? 'commerce',
      keepAlive: true,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: config().DATABASE_POOL },
    acquireConnectionTimeout: 5_000,
    log: {
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
  })
  return opened
}

/** Closes the pool: at the end of a process or of a test file. */
export async function closeDb(): Promise<void> {
  const closing = opened
  opened = undefined
  await closing?.destroy()
}

interface RoleFacts {
  name: string
  superuser: boolean
  bypass: boolean
}

/** Refuses to run as a role that row-level security does not bind: the second wall between stores would be air. */
export async function assertRoleIsBound(): Promise<void> {
  const { rows } = await db().raw<{ rows: RoleFacts[] }>(
    'select rolname as name, rolsuper as superuser, rolbypassrls as bypass from pg_roles where rolname = current_user',
  )
  const [role] = rows
  if (role?.superuser || role?.bypass)
    throw new Error(
      `DATABASE_URL signs in as "${role.name}", which bypasses row-level security. Use a role that is neither superuser nor BYPASSRLS.`,
    )
}
