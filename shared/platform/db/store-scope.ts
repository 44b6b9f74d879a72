import type { Knex } from 'knex'
import { db } from './db.ts'
import { isUuid } from './id.ts'
import { connectionOf, transactionInStore } from './knex-internals.ts'
import { TooMuchData } from './limit-read.ts'
import { retryDeadlocks } from './retry-deadlocks.ts'
import { runWithLimits } from './run-with-limits.ts'
import { type Statement, wireName } from './statement.ts'
import { withinConnectionLimit } from './store-connection-limit.ts'

/** A transaction of a store or of the platform. */
abstract class ScopedTx {
  readonly knex: Knex.Transaction

  constructor(knex: Knex.Transaction) {
    this.knex = knex
  }

  /**
   * Runs a prepared statement, which PostgreSQL plans once for each connection. Use it for hot paths. Values and rows
   * are typed as in any other query.
   */
  async prepared<Row>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const connection = await connectionOf(this.knex)
    const { rows } = await connection.query({ name: wireName(statement), text: statement.text, values })
    return rows as Row[]
  }
}

/** A transaction of the platform, for tables outside the stores. Only `inPlatform` creates it. */
export class PlatformTx extends ScopedTx {
  readonly storeId = null
}

/**
 * The sequence of work before the commit. Rows that many transactions lock are locked last and so briefly. The sequence
 * is always the same, so that no two transactions deadlock.
 */
const BEFORE_COMMIT = [
  'rows of its own',
  'stock',
  // After the stock: some transactions lock stock earlier, such as a shipment, and all of them end with the audit log.
  'end of the audit log',
  // Rows of all stores: a buyer who waits for stock in one store must not delay buyers of the same network in others.
  'quotas',
  // A worker records the ends of jobs of all stores in one statement, which waits for these rows.
  'running jobs',
] as const
type BeforeCommit = (typeof BEFORE_COMMIT)[number]

interface Work {
  when: BeforeCommit
  run(): Promise<unknown>
}

/**
 * A transaction bound to one store. Only `inStore` creates it, so a function that takes a `StoreTx` cannot run without
 * a store. Row-level security limits it to the rows of that store; the tables without it, which requests read before
 * their store is known, are listed in `test/rules/tenancy.test.ts`.
 */
export class StoreTx extends ScopedTx {
  readonly storeId: string
  readonly #beforeCommit = new Map<string, Work>()
  readonly #withCommit: Set<string>
  #storedBytes = 0

  /** @internal */
  constructor(storeId: string, knex: Knex.Transaction, withCommit: Set<string>) {
    super(knex)
    this.storeId = storeId
    this.#withCommit = withCommit
  }

  /** The bytes that this transaction stores: the body, events, words of searches, responses for repeats and so on. */
  get storedBytes(): number {
    return this.#storedBytes
  }

  noteStored(bytes: number): void {
    this.#storedBytes += bytes
  }

  /** Runs `work` right before the commit, once for each key. */
  beforeCommit(key: string, work: () => Promise<unknown>, when: BeforeCommit = 'rows of its own'): void {
    this.#beforeCommit.set(key, { when, run: work })
  }

  /**
   * Sends a statement without parameters in one message with the COMMIT. So a row that all transactions of a store lock
   * is not locked while the process does other things.
   */
  withCommit(sql: string): void {
    this.#withCommit.add(sql)
  }

  /** @internal */
  async runBeforeCommit(): Promise<void> {
    for (let next = this.#takeNext(); next; next = this.#takeNext()) await next.run()
  }

  /** Removes and returns the work that is due first. That work may add more work. */
  #takeNext(): Work | undefined {
    for (const when of BEFORE_COMMIT)
      for (const [key, work] of this.#beforeCommit)
        if (work.when === when) {
          this.#beforeCommit.delete(key)
          return work
        }
    return undefined
  }
}

/**
 * Runs `work` in a transaction in which row-level security shows only this store's rows, and commits. An error rolls
 * back, and so does a disconnect of the client of a read. After a deadlock `work` runs again, so it must change nothing
 * outside the transaction.
 */
export async function inStore<T>(storeId: string, work: (tx: StoreTx) => PromiseLike<T>): Promise<T> {
  if (!isUuid(storeId)) throw new Error('inStore needs the id of a store')
  return retryDeadlocks(() => withinConnectionLimit(storeId, (pool) => runTransaction(pool, storeId, work)))
}

const runTransaction = <T>(pool: Knex, storeId: string, work: (tx: StoreTx) => PromiseLike<T>): Promise<T> =>
  limitTransaction(storeId, (limit) =>
    transactionInStore(pool, storeId, (knex, withCommit) =>
      limit(knex, () => runWithEnd(new StoreTx(storeId, knex, withCommit), work)),
    ),
  )

/** Runs the work of a transaction, and then the work that it added by `beforeCommit`. */
async function runWithEnd<T>(tx: StoreTx, work: (tx: StoreTx) => PromiseLike<T>): Promise<T> {
  const result = await work(tx)
  await tx.runBeforeCommit()
  return result
}

type Limit = <R>(knex: Knex.Transaction, work: () => Promise<R>) => Promise<R>

/**
 * Opens a transaction whose work runs with `limit`. Throws the refusal of the limit: its connection is closed, and knex
 * would throw the error of the ROLLBACK instead.
 */
async function limitTransaction<T>(storeId: string, open: (limit: Limit) => Promise<T>): Promise<T> {
  let refusal: TooMuchData | undefined
  try {
    return await open(async (knex, work) => {
      try {
        return await runWithLimits(await connectionOf(knex), storeId, work)
      } catch (error) {
        if (error instanceof TooMuchData) refusal = error
        throw error
      }
    })
  } catch (error) {
    throw refusal ?? error
  }
}

/** Runs `work` in a transaction for tables outside the stores. It sees no rows of stores. */
export const inPlatform = <T>(work: (tx: PlatformTx) => Promise<T>): Promise<T> =>
  limitTransaction('', (limit) => db().transaction((knex) => limit(knex, () => work(new PlatformTx(knex)))))

/** Runs `work` in a transaction of a store, or of the platform for null. */
export const inScope = <T>(
  storeId: string | null,
  work: (tx: StoreTx | PlatformTx) => Promise<T>,
): Promise<T> => (storeId ? inStore(storeId, work) : inPlatform(work))
