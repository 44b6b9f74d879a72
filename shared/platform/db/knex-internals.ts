import type { Knex } from 'knex'
import { isUuid } from './id.ts'
import { limitsSql } from './time-limits.ts'

/*
 * The parts of knex that its public API leaves out. Nothing else may use them;
 * test/shared/platform/db/driver-contracts.test.ts fails when an upgrade of knex moves one.
 */

interface KnexTransaction {
  begin(connection: unknown): unknown
  query(connection: unknown, sql: string): unknown
}

interface KnexClient {
  pool: ConnectionPool
  transaction(work: unknown, options?: { storeId?: string }, outer?: unknown): KnexTransaction
  acquireConnection(): Promise<PooledConnection>
  releaseConnection(connection: PooledConnection): Promise<void>
}

/** tarn's pool, whose events carry the number of the request. */
export interface ConnectionPool {
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: 'acquireRequest' | 'acquireSuccess' | 'acquireFail', handler: (requestId: number) => void): void
}

/** A pg client in knex's pool. The pool drops one with `__knex__disposed` instead of reusing it. */
export interface PooledConnection {
  query(submittable: object): unknown
  __knex__disposed?: unknown
}

interface PgClient {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
}

/** Extends `client.transaction` by the option `storeId`: the BEGIN sets the store in the same round trip. */
export function enableStoreTransactions({ client }: { client: KnexClient }): void {
  const transaction = client.transaction.bind(client)
  client.transaction = (work, options, outer) => {
    const opened = transaction(work, options, outer)
    const storeId = options?.storeId
    if (storeId) {
      // Two statements in one message take no parameters, so the text must be a UUID.
      if (!isUuid(storeId)) throw new Error('A store transaction needs the id of a store')
      const sql = `begin; select set_config('app.store_id', '${storeId}', true)${limitsSql()}`
      opened.begin = (connection) => opened.query(connection, sql)
    }
    return opened
  }
}

/** Opens a transaction with the store set. */
export const transactionInStore = <T>(
  knex: Knex,
  storeId: string,
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> => knex.transaction(work, { storeId } as Knex.TransactionConfig)

/** The connection pool, for its figures. */
export const poolOf = (knex: Knex): ConnectionPool => (knex.client as KnexClient).pool

/** Runs `work` on a connection of the pool. After an error the connection is dropped: its state is unknown. */
export async function withConnection<T>(
  knex: Knex,
  work: (connection: PooledConnection) => Promise<T>,
): Promise<T> {
  const client: KnexClient = knex.client
  const connection = await client.acquireConnection()
  try {
    return await work(connection)
  } catch (error) {
    retire(connection, error as Error)
    throw error
  } finally {
    client.releaseConnection(connection)
  }
}

/** The connection that a transaction runs on. */
export const connectionOf = (trx: Knex.Transaction): Promise<PgClient & PooledConnection> =>
  trx.client.acquireConnection()

/** Makes the pool close a connection instead of lending it again. */
export function retire(connection: PooledConnection, why: Error): void {
  connection.__knex__disposed = why
}
