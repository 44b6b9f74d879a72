import type { Knex } from 'knex'
import { currentCaller } from './caller.ts'
import { db } from './db.ts'
import { isUuid } from './id.ts'
import { connectionOf, transactionInStore } from './knex-internals.ts'
import { sqlState } from './sql-error.ts'
import { type Statement, wireName } from './statement.ts'
import { withinShare } from './store-share.ts'
import { whileWanted } from './while-wanted.ts'

const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 3

/** What transactions of a store and of the platform have in common. */
abstract class ScopedTx {
  readonly knex: Knex.Transaction

  constructor(knex: Knex.Transaction) {
    this.knex = knex
  }

  /**
   * Runs a prepared statement, which PostgreSQL plans once a connection: for queries of hot paths. Values and rows are
   * typed as in any other query.
   */
  async prepared<Row>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const connection = await connectionOf(this.knex)
    const { rows } = await connection.query({ name: wireName(statement), text: statement.text, values })
    return rows as Row[]
  }
}

/** A transaction of the platform: of tables outside the stores. */
export class PlatformTx extends ScopedTx {
  readonly storeId = null
}

/**
 * A transaction bound to one store. Only `inStore` makes one, so a function that takes a `StoreTx` cannot run without
 * a store, and reads and writes that store's rows only.
 */
export class StoreTx extends ScopedTx {
  readonly storeId: string
  readonly #beforeCommit = new Map<string, () => Promise<unknown>>()

  /** @internal */
  constructor(storeId: string, knex: Knex.Transaction) {
    super(knex)
    this.storeId = storeId
  }

  /** Runs `work` right before the commit, once a key: a row that many transactions lock is then locked last and briefly. */
  beforeCommit(key: string, work: () => Promise<unknown>): void {
    this.#beforeCommit.set(key, work)
  }

  /** @internal */
  async runBeforeCommit(): Promise<void> {
    for (const work of this.#beforeCommit.values()) await work()
  }
}

/**
 * Opens a transaction in which row-level security shows only this store's rows, runs `work`, and commits; an error
 * rolls back, and so does the end of a read whose caller has left. After a deadlock `work` runs again, so it must change
 * nothing outside the transaction.
 */
export async function inStore<T>(storeId: string, work: (tx: StoreTx) => PromiseLike<T>): Promise<T> {
  if (!isUuid(storeId)) throw new Error('inStore needs the id of a store')
  for (let attempt = 1; ; attempt++) {
    try {
      return await withinShare(storeId, () =>
        transactionInStore(db(), storeId, (knex) => wanted(knex, () => run(storeId, knex, work))),
      )
    } catch (error) {
      if (sqlState(error) !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

async function run<T>(
  storeId: string,
  knex: Knex.Transaction,
  work: (tx: StoreTx) => PromiseLike<T>,
): Promise<T> {
  const tx = new StoreTx(storeId, knex)
  const result = await work(tx)
  await tx.runBeforeCommit()
  return result
}

/** Only reads have a caller. */
async function wanted<T>(knex: Knex.Transaction, work: () => Promise<T>): Promise<T> {
  return currentCaller() ? whileWanted(await connectionOf(knex), work) : work()
}

/** Opens a transaction without a store, for tables outside the stores. It sees no row of a store. */
export const inPlatform = <T>(work: (knex: Knex.Transaction) => Promise<T>): Promise<T> =>
  db().transaction((knex) => wanted(knex, () => work(knex)))

/** Opens a transaction of a store, or of the platform for null: for work that is the same in both. */
export const inScope = <T>(
  storeId: string | null,
  work: (tx: StoreTx | PlatformTx) => Promise<T>,
): Promise<T> => (storeId ? inStore(storeId, work) : inPlatform((knex) => work(new PlatformTx(knex))))
