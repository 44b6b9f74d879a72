import knexModule, { type Knex } from 'knex'
import pg from 'pg'
import { config } from '#shared/platform/config/config.ts'
import { log } from '#shared/platform/log.ts'
import { enableStoreTransactions } from './knex-internals.ts'
import { listParser } from './list-parser.ts'
import { CLIENT_GONE, READ_CUT } from './waiting-client.ts'

const INT8 = 20
const DATE = 1082
const TEXT_ARRAY: number = 1009
const UUID_ARRAY: number = 2951

const parseList = listParser(pg.types.getTypeParser(TEXT_ARRAY, 'text'))

/** Reads bigint columns (e.g. amounts) as bigint, dates as text, and lists of texts and ids fast. pg reads the rest. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return BigInt
    if (oid === DATE) return (text: string) => text
    if ((oid === UUID_ARRAY || oid === TEXT_ARRAY) && format !== 'binary') return parseList
    return pg.types.getTypeParser(oid, format)
  },
}

// A database that accepts no connection in this time does not respond.
const CONNECT_MS = 10_000

let pool: Knex | undefined
let poolOfDiscarders: Knex | undefined
const connections = new Set<pg.Client>()

/** Returns the process's connection pool. Domains use a `StoreTx`; `tenancy.test.ts` lists the exceptions. */
export function db(): Knex {
  pool ??= open(config().DATABASE_POOL)
  return pool
}

/**
 * Returns the pool for work that discards many connections. In the other pool it would take and close the open
 * connections of all stores, which then wait for new ones, and for the plans of all their statements.
 */
export function dbOfDiscarders(): Knex {
  poolOfDiscarders ??= open(connectionsOfDiscarders(config().DATABASE_POOL))
  return poolOfDiscarders
}

/** Returns the size of the pool for work that discards many connections, beside a pool of this size. */
export const connectionsOfDiscarders = (connections: number): number => Math.ceil(connections / 2)

function open(max: number): Knex {
  const knex = knexModule({
    client: 'pg',
    connection: {
      connectionString: config().DATABASE_URL,
      types,
      application_name: process.env.PROCESS_NAME ?? 'commerce',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max, afterCreate: noteConnection },
    acquireConnectionTimeout: config().DATABASE_POOL_WAIT_MS,
    log: {
      // Some warnings are expected: the pool logs every connection that it closes.
      warn: (message) => log[isExpected(message) ? 'debug' : 'warn'](message),
      error: (message) => log.error(message),
    },
  })
  enableStoreTransactions(knex)
  poolOpened(knex)
  return knex
}

let poolOpened: (knex: Knex) => void = () => {}

/** Calls `opened` with each pool of the process: the open ones now, and others when they are opened. */
export function watchPools(opened: (knex: Knex) => void): void {
  for (const knex of openPools()) opened(knex)
  poolOpened = opened
}

/** Returns the open pools of the process. */
export const openPools = (): Knex[] => [pool, poolOfDiscarders].filter((knex) => knex !== undefined)

const isExpected = (message: unknown): boolean =>
  [CLIENT_GONE, READ_CUT].some((why) => String(message).includes(why))

function noteConnection(connection: pg.Client, done: (error: null, connection: pg.Client) => void): void {
  connections.add(connection)
  connection.once('end', () => connections.delete(connection))
  done(null, connection)
}

/**
 * Cuts every connection of the pools, because the database does not respond. Running statements fail. The pools open
 * new connections when they are needed.
 */
export function breakConnections(): void {
  // A client with a running statement closes its socket immediately.
  for (const connection of connections) connection.end().catch(() => {})
}

/** Closes the pools at the end of a process or a test file. */
export async function closeDb(): Promise<void> {
  const closing = openPools()
  pool = undefined
  poolOfDiscarders = undefined
  await Promise.all(closing.map((knex) => knex.destroy()))
}

interface RoleFacts {
  name: string
  superuser: boolean
  bypass: boolean
}

/** Throws if the database role bypasses row-level security, which separates the stores. */
export async function assertRowSecurityApplies(): Promise<void> {
  const { rows } = await db().raw<{ rows: RoleFacts[] }>(
    'select rolname as name, rolsuper as superuser, rolbypassrls as bypass from pg_roles where rolname = current_user',
  )
  const [role] = rows
  if (role?.superuser || role?.bypass)
    throw new Error(
      `DATABASE_URL signs in as "${role.name}", which bypasses row-level security. Use a role that is neither ` +
        'superuser nor BYPASSRLS.',
    )
}
