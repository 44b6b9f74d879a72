import type { Knex } from 'knex'
import { db } from './db.ts'
import { isUuid, NIL_ID } from './id.ts'
import { withConnection } from './knex-internals.ts'
import { type Row, runPipeline, type Step, type Value } from './pg-internals.ts'
import { runChange, runWithLimits } from './run-with-limits.ts'
import type { Statement } from './statement.ts'
import { withinConnectionLimit, withinPlatformLimit } from './store-connection-limit.ts'
import { lockTimeout, readTimeout, statementTimeout } from './time-limits.ts'
import { STORE_SETTINGS } from './transaction-settings.ts'

const run = (knex: Knex, storeId: string, steps: Step[]): Promise<Row[]> =>
  withConnection(knex, (connection) => runChange(connection, storeId, () => runPipeline(connection, steps)))

/** Runs the steps of a read. Unlike `run`, it ends when its client disconnects. */
const runRead = (knex: Knex, storeId: string, steps: Step[]): Promise<Row[]> =>
  withConnection(knex, (connection) =>
    runWithLimits(connection, storeId, () => runPipeline(connection, steps)),
  )

const SET_STORE: Statement = {
  name: 'set_store',
  text: `select set_config('app.store_id', $1, true), set_config('statement_timeout', $2, true), ${STORE_SETTINGS}`,
}

function inStoreSteps(storeId: string, step: Step, timeoutMs: number): Step[] {
  if (!isUuid(storeId)) throw new Error('A read in a store needs the id of a store')
  return [{ statement: SET_STORE, values: [storeId, `${timeoutMs}`] }, step]
}

/**
 * Sets the store and reads in one round trip, under the same row-level security as `inStore`. Columns are text. The
 * read ends when its client disconnects, and after `timeoutMs` if that is sooner than the limit of reads.
 */
export function readInStore(
  storeId: string,
  statement: Statement,
  values: Value[],
  timeoutMs = 0,
): Promise<Row[]> {
  const steps = inStoreSteps(storeId, { statement, values }, earlierOf(timeoutMs, readTimeout()))
  return withinConnectionLimit(storeId, (knex) => runRead(knex, storeId, steps))
}

/** Returns the shorter of two time-outs; 0: none. */
const earlierOf = (a: number, b: number): number => (a && b ? Math.min(a, b) : a || b)

// No store has this id. A read for an unknown store finds no row in the same time.
const UNKNOWN_STORE = NIL_ID

/**
 * Like `readInStore`, but `finder` first selects the store's id from a table outside the stores. Both statements have
 * the same values.
 */
export function readInResolvedStore(
  finder: Statement,
  statement: Statement,
  values: Value[],
): Promise<Row[]> {
  const setStore = {
    name: `set_store_${finder.name}`,
    text: `select set_config('app.store_id', coalesce((${finder.text})::text, '${UNKNOWN_STORE}'), true),
      ${STORE_SETTINGS}`,
  }
  return run(db(), '', [
    { statement: setStore, values },
    { statement, values },
  ])
}

/** Like `readInStore`, for a single change. A disconnect does not end it. It is committed when the promise resolves. */
export function executeInStore(storeId: string, statement: Statement, values: Value[]): Promise<Row[]> {
  const steps = inStoreSteps(storeId, { statement, values }, statementTimeout())
  return withinConnectionLimit(storeId, (knex) => run(knex, storeId, steps))
}

const SET_TIMEOUTS: Statement = {
  name: 'set_timeouts',
  text: `select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)`,
}

/** Reads a table outside the stores in one round trip, within the time limits. */
export function readOnPlatform(statement: Statement, values: Value[]): Promise<Row[]> {
  const timeouts = { statement: SET_TIMEOUTS, values: [`${statementTimeout()}`, `${lockTimeout()}`] }
  const step = { statement, values }
  return run(db(), '', statementTimeout() === 0 ? [step] : [timeouts, step])
}

/** Like `readOnPlatform`, for a single change. It is committed when the promise resolves. */
export const executeOnPlatform = (statement: Statement, values: Value[]): Promise<Row[]> =>
  withinPlatformLimit(() => readOnPlatform(statement, values))
