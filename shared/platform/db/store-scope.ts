import type { Knex } from 'knex'
import { db } from './db.ts'
import { isUuid } from './id.ts'
import { type Statement, wireName } from './statement.ts'

const DEADLOCK = '40P01'
const TRIES = 3

/** The transaction's own connection, as pg has it. */
interface PreparedConnection {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
}

/**
 * A transaction bound to one store. `inStore` alone makes one, so a function that takes it cannot be called without
 * a store, and whatever it reads or writes is that store's.
 */
export class StoreTx {
  readonly storeId: string
  readonly knex: Knex.Transaction
  readonly #last = new Map<string, () => Promise<unknown>>()

  /** @internal */
  constructor(storeId: string, knex: Knex.Transaction) {
    this.storeId = storeId
    this.knex = knex
  }

  /**
   * Asks with a prepared statement, whose plan PostgreSQL makes once a connection: for what a hot path asks at every
   * request. Values and rows are typed as in any other query.
   */
  async prepared<Row>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const connection: PreparedConnection = await this.knex.client.acquireConnection()
    const { rows } = await connection.query({ name: wireName(statement), text: statement.text, values })
    return rows as Row[]
  }

  /** Runs `work` once a key, right before the commit: for rows many transactions want, so that they are locked briefly and last. */
  beforeCommit(key: string, work: () => Promise<unknown>): void {
    this.#last.set(key, work)
  }

  /** @internal */
  async runBeforeCommit(): Promise<void> {
    for (const work of this.#last.values()) await work()
  }
}

/**
 * Opens a transaction in which row-level security shows this store's rows alone, runs `work`, and commits; an error
 * rolls back. A deadlock's victim is run again, so `work` must touch nothing but the transaction.
 */
export async function inStore<T>(storeId: string, work: (tx: StoreTx) => PromiseLike<T>): Promise<T> {
  if (!isUuid(storeId)) throw new Error('inStore needs the id of a store')
  for (let attempt = 1; ; attempt++) {
    try {
      return await db().transaction(
        async (knex) => {
          const tx = new StoreTx(storeId, knex)
          const result = await work(tx)
          await tx.runBeforeCommit()
          return result
        },
        // The transaction's first message sets the store too: see beginWithStore.
        { storeId } as Knex.TransactionConfig,
      )
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || attempt === TRIES) throw error
    }
  }
}

/** Opens a transaction of the platform: for tables that stand outside the stores. No row of a store is seen in it. */
export const inPlatform = <T>(work: (knex: Knex.Transaction) => Promise<T>): Promise<T> =>
  db().transaction(work)
