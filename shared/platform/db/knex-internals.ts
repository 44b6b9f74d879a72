import type { Knex } from 'knex'
import { isUuid } from './id.ts'
import { limitsSql } from './time-limits.ts'
import { NO_NOTICES, STORE_SETTINGS } from './transaction-settings.ts'
import { ClientGone } from './waiting-client.ts'

/*
 * The parts of knex that its public API leaves out. Nothing else may use them;
 * test/shared/platform/db/driver-contracts.slow.test.ts fails when an upgrade of knex moves one.
 */

interface KnexTransaction {
  begin(connection: unknown): unknown
  commit(connection: unknown, value: unknown): unknown
  rollback(connection: unknown, error: unknown): unknown
  query(connection: unknown, sql: string): unknown
  trxClient: { query(connection: unknown, sql: string): Promise<unknown> }
  _resolver(value: unknown): void
  _completed: boolean
}

interface StoreOptions {
  storeId?: string
  withCommit?: ReadonlySet<string>
}

interface KnexClient {
  pool: ConnectionPool
  transaction(work: unknown, options?: StoreOptions, outer?: unknown): KnexTransaction
  acquireConnection(): Promise<PooledConnection>
  releaseConnection(connection: PooledConnection): Promise<void>
}

/** tarn's pool. Its events have the number of the request. */
export interface ConnectionPool {
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: 'acquireRequest' | 'acquireSuccess' | 'acquireFail', handler: (requestId: number) => void): void
}

/** A pg client in knex's pool. The pool drops a client with `__knex__disposed` instead of reusing it. */
export interface PooledConnection {
  query(submittable: object): unknown
  __knex__disposed?: unknown
}

interface PgClient {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
}

/**
 * Adds two options to `client.transaction`. `storeId` and the time limits are set in the same round trip as the BEGIN.
 * `withCommit` has statements to send in the same message as the COMMIT.
 */
export function enableStoreTransactions({ client }: { client: KnexClient }): void {
  const transaction = client.transaction.bind(client)
  client.transaction = (work, options, outer) => {
    const opened = transaction(work, options, outer)
    opened.begin = (connection) => opened.query(connection, beginSql(options?.storeId))
    if (options?.withCommit) commitWith(opened, options.withCommit)
    return opened
  }
}

/** Returns the SQL that begins a transaction of a store, or outside the stores, within the time limits. */
function beginSql(storeId: string | undefined): string {
  if (!storeId) return `begin; select ${NO_NOTICES}${limitsSql()}`
  // Two statements in one message take no parameters, so the text must be a UUID.
  if (!isUuid(storeId)) throw new Error('A store transaction needs the id of a store')
  return `begin; select set_config('app.store_id', '${storeId}', true), ${STORE_SETTINGS}${limitsSql()}`
}

/**
 * Sends statements with the COMMIT in one message. If a statement fails, PostgreSQL skips the COMMIT, and the
 * transaction stays open.
 */
function commitWith(opened: KnexTransaction, statements: ReadonlySet<string>): void {
  const commit = opened.commit.bind(opened)
  opened.commit = (connection, value) =>
    statements.size === 0
      ? commit(connection, value)
      : opened.trxClient.query(connection, [...statements, 'commit'].join('; ')).then(
          () => {
            opened._completed = true
            opened._resolver(value)
          },
          (error) => opened.rollback(connection, error),
        )
}

/**
 * Opens a transaction with the store set. `work` may add statements without parameters that are sent with the COMMIT.
 */
export function transactionInStore<T>(
  knex: Knex,
  storeId: string,
  work: (trx: Knex.Transaction, withCommit: Set<string>) => Promise<T>,
): Promise<T> {
  const withCommit = new Set<string>()
  const options: StoreOptions = { storeId, withCommit }
  return knex.transaction((trx) => work(trx, withCommit), options as Knex.TransactionConfig)
}

/** Returns the connection pool, for its figures. */
export const poolOf = (knex: Knex): ConnectionPool => (knex.client as KnexClient).pool

/**
 * Runs `work` on a connection of the pool. An error leaves the connection in an unknown state, so the pool drops it.
 * The connection stays if `work` did not begin because its client had left: such clients must not cost connections.
 */
export async function withConnection<T>(
  knex: Knex,
  work: (connection: PooledConnection) => Promise<T>,
): Promise<T> {
  const client: KnexClient = knex.client
  const connection = await client.acquireConnection()
  try {
    return await work(connection)
  } catch (error) {
    if (!(error instanceof ClientGone) || error.hadBegun) discardConnection(connection, error as Error)
    throw error
  } finally {
    void client.releaseConnection(connection)
  }
}

/** Returns the connection that a transaction runs on. */
export const connectionOf = (trx: Knex.Transaction): Promise<PgClient & PooledConnection> =>
  trx.client.acquireConnection()

/** Makes the pool close a connection instead of lending it again. */
export function discardConnection(connection: PooledConnection, why: Error): void {
  connection.__knex__disposed = why
}
