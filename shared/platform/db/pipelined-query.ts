import { db } from './db.ts'
import { isUuid } from './id.ts'
import { withConnection } from './knex-internals.ts'
import { type Row, runPipeline, type Step, type Value } from './pg-internals.ts'
import type { Statement } from './statement.ts'
import { withinShare } from './store-share.ts'
import { readTimeout, statementTimeout } from './time-limits.ts'

const run = (steps: Step[]): Promise<Row[]> =>
  withConnection(db(), (connection) => runPipeline(connection, steps))

const SET_STORE: Statement = {
  name: 'set_store',
  text: "select set_config('app.store_id', $1, true), set_config('statement_timeout', $2, true)",
}

function runInStore(
  storeId: string,
  statement: Statement,
  values: Value[],
  timeoutMs: number,
): Promise<Row[]> {
  if (!isUuid(storeId)) throw new Error('A read in a store needs the id of a store')
  const setStore = { statement: SET_STORE, values: [storeId, `${timeoutMs}`] }
  return withinShare(storeId, () => run([setStore, { statement, values }]))
}

/** Sets the store and reads, under the same row-level security as `inStore`, in one round trip. Columns are text. */
export const readInStore = (storeId: string, statement: Statement, values: Value[]): Promise<Row[]> =>
  runInStore(storeId, statement, values, readTimeout())

// No store has this id: an unknown store reads no row, in the same time.
const NIL_STORE_ID = '00000000-0000-0000-0000-000000000000'

/**
 * As `readInStore`, where the store is found by a statement on a table outside the stores: `finder` selects the store's
 * id. Both statements take the same values.
 */
export function readInResolvedStore(
  finder: Statement,
  statement: Statement,
  values: Value[],
): Promise<Row[]> {
  const setStore = {
    name: `set_store_${finder.name}`,
    text: `select set_config('app.store_id', coalesce((${finder.text})::text, '${NIL_STORE_ID}'), true)`,
  }
  return run([
    { statement: setStore, values },
    { statement, values },
  ])
}

/** As `readInStore`, for a single change. It is committed when the promise resolves. */
export const executeInStore = (storeId: string, statement: Statement, values: Value[]): Promise<Row[]> =>
  runInStore(storeId, statement, values, statementTimeout())

/** Reads a table outside the stores in one round trip. */
export const readOnPlatform = (statement: Statement, values: Value[]): Promise<Row[]> =>
  run([{ statement, values }])

/** As `readOnPlatform`, for a single change. It is committed when the promise resolves. */
export const executeOnPlatform = readOnPlatform
