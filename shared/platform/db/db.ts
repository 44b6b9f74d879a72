import knexModule, { type Knex } from 'knex'
import pg from 'pg'
import { config } from '../config/config.ts'
import { log } from '../log.ts'
import { isUuid } from './id.ts'

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

let pool: Knex | undefined

/** The process's connection pool. Only `inStore` and platform code use it; domains get a `StoreTx`. */
export function db(): Knex {
  pool ??= open()
  return pool
}

function open(): Knex {
  const knex = knexModule({
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
  setStoreOnBegin(knex.client)
  return knex
}

/** The parts of knex's client and transaction that its types leave out. */
interface Beginning {
  begin(connection: unknown): unknown
  query(connection: unknown, sql: string): unknown
}
interface Client {
  transaction(work: unknown, options?: { storeId?: string }, outer?: unknown): Beginning
}

/** Lets a transaction begin and set its store in one round trip: `transaction(work, { storeId })`. */
function setStoreOnBegin(client: Client): void {
  const plainly = client.transaction.bind(client)
  client.transaction = (work, options, outer) => {
    const transaction = plainly(work, options, outer)
    const storeId = options?.storeId
    if (storeId) {
      // Two statements in one message take no parameters, so the text must be nothing but a UUID.
      if (!isUuid(storeId)) throw new Error('A store transaction needs the id of a store')
      const sql = `begin; select set_config('app.store_id', '${storeId}', true)`
      transaction.begin = (connection) => transaction.query(connection, sql)
    }
    return transaction
  }
}

/** Closes the pool: at the end of a process or of a test file. */
export async function closeDb(): Promise<void> {
  const closing = pool
  pool = undefined
  await closing?.destroy()
}

interface RoleFacts {
  name: string
  superuser: boolean
  bypass: boolean
}

/** Refuses to run as a role that row-level security does not bind: the second wall between stores would be air. */
export async function assertRowSecurityApplies(): Promise<void> {
  const { rows } = await db().raw<{ rows: RoleFacts[] }>(
    'select rolname as name, rolsuper as superuser, rolbypassrls as bypass from pg_roles where rolname = current_user',
  )
  const [role] = rows
  if (role?.superuser || role?.bypass)
    throw new Error(
      `DATABASE_URL signs in as "${role.name}", which bypasses row-level security. Use a role that is neither superuser nor BYPASSRLS.`,
    )
}
