import { cancelOnDisconnect } from './cancel-on-disconnect.ts'
import { withinConnectionLimit } from './connection-limit.ts'
import { db } from './db.ts'
import { isUuid } from './id.ts'
import { withConnection } from './knex-internals.ts'
import { type Row, runPipeline, type Step, type Value } from './pg-internals.ts'
import type { Statement } from './statement.ts'
import { readTimeout, statementTimeout } from './time-limits.ts'

const run = (steps: Step[]): Promise<Row[]> =>
  withConnection(db(), (connection) => runPipeline(connection, steps))

/** As `run`, for reads: they are canceled when the client disconnects. */
const runCancelable = (steps: Step[]): Promise<Row[]> =>
  withConnection(db(), (connection) => cancelOnDisconnect(connection, () => runPipeline(connection, steps)))

const SET_STORE: Statement = {
  name: 'set_store',
  text: "select set_config('app.store_id', $1, true), set_config('statement_timeout', $2, true)",
}

function inStoreSteps(storeId: string, step: Step, timeoutMs: number): Step[] {
  if (!isUuid(storeId)) throw new Error('A read in a store needs the id of a store')
  return [{ statement: SET_STORE, values: [storeId, `${timeoutMs}`] }, step]
}

/**
 * Sets the store and reads, under the same row-level security as `inStore`, in one round trip. Columns are text. The
 * read ends when its caller leaves.
 */
export function readInStore(storeId: string, statement: Statement, values: Value[]): Promise<Row[]> {
  const steps = inStoreSteps(storeId, { statement, values }, readTimeout())
  return withinConnectionLimit(storeId, () => runCancelable(steps))
}

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

/** As `readInStore`, for a single change, which no caller can end. It is committed when the promise resolves. */
export function executeInStore(storeId: string, statement: Statement, values: Value[]): Promise<Row[]> {
  const steps = inStoreSteps(storeId, { statement, values }, statementTimeout())
  return withinConnectionLimit(storeId, () => run(steps))
}

/** Reads a table outside the stores in one round trip. */
export const readOnPlatform = (statement: Statement, values: Value[]): Promise<Row[]> =>
  run([{ statement, values }])

/** As `readOnPlatform`, for a single change. It is committed when the promise resolves. */
export const executeOnPlatform = readOnPlatform
