import type { Knex } from 'knex'
import { currentCaller } from './caller.ts'
import { cancelOnDisconnect } from './cancel-on-disconnect.ts'
import { withinConnectionLimit } from './connection-limit.ts'
import { db } from './db.ts'
import { isUuid } from './id.ts'
import { connectionOf, transactionInStore } from './knex-internals.ts'
import { sqlState } from './sql-error.ts'
import { type Statement, wireName } from './statement.ts'

const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 3

/** A transaction of a store or of the platform. */
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
 * When work runs before the commit. Rows that many transactions of a store lock are locked last, so that they are
 * locked briefly, and always in this order, so that no two transactions wait for each other.
 */
const BEFORE_COMMIT = ['rows of its own', 'end of the audit log', 'quotas', 'stock'] as const
type BeforeCommit = (typeof BEFORE_COMMIT)[number]

interface Work {
  when: BeforeCommit
  run(): Promise<unknown>
}

/**
 * A transaction bound to one store. Only `inStore` makes one, so a function that takes a `StoreTx` cannot run without
 * a store, and reads and writes that store's rows only.
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

  /** The bytes of what this transaction stores beside its own rows: of events, and of responses for repeats. */
  get storedBytes(): number {
    return this.#storedBytes
  }

  noteStored(bytes: number): void {
    this.#storedBytes += bytes
  }

  /** Runs `work` right before the commit, once a key. */
  beforeCommit(key: string, work: () => Promise<unknown>, when: BeforeCommit = 'rows of its own'): void {
    this.#beforeCommit.set(key, { when, run: work })
  }

  /**
   * Sends a statement without parameters in one message with the COMMIT: a row that all transactions of a store lock is
   * then not locked while the process does other things.
   */
  withCommit(sql: string): void {
    this.#withCommit.add(sql)
  }

  /** @internal */
  async runBeforeCommit(): Promise<void> {
    for (let next = this.#takeNext(); next; next = this.#takeNext()) await next.run()
  }

  /** The work that is due first. It may add other work. */
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
 * Opens a transaction in which row-level security shows only this store's rows, runs `work`, and commits; an error
 * rolls back, and so does the end of a read whose caller has left. After a deadlock `work` runs again, so it must
 * change nothing outside the transaction.
 */
export async function inStore<T>(storeId: string, work: (tx: StoreTx) => PromiseLike<T>): Promise<T> {
  if (!isUuid(storeId)) throw new Error('inStore needs the id of a store')
  for (let attempt = 1; ; attempt++) {
    try {
      return await withinConnectionLimit(storeId, () =>
        transactionInStore(db(), storeId, (knex, withCommit) =>
          cancelable(knex, () => run(new StoreTx(storeId, knex, withCommit), work)),
        ),
      )
    } catch (error) {
      if (sqlState(error) !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

async function run<T>(tx: StoreTx, work: (tx: StoreTx) => PromiseLike<T>): Promise<T> {
  const result = await work(tx)
  await tx.runBeforeCommit()
  return result
}

/** Only reads have a caller. */
async function cancelable<T>(knex: Knex.Transaction, work: () => Promise<T>): Promise<T> {
  return currentCaller() ? cancelOnDisconnect(await connectionOf(knex), work) : work()
}

/** Opens a transaction without a store, for tables outside the stores. It sees no row of a store. */
export const inPlatform = <T>(work: (knex: Knex.Transaction) => Promise<T>): Promise<T> =>
  db().transaction((knex) => cancelable(knex, () => work(knex)))

/** Opens a transaction of a store, or of the platform for null: for work that is the same in both. */
export const inScope = <T>(
  storeId: string | null,
  work: (tx: StoreTx | PlatformTx) => Promise<T>,
): Promise<T> => (storeId ? inStore(storeId, work) : inPlatform((knex) => work(new PlatformTx(knex))))
