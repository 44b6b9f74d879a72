import type { ErrorFactory } from '../errors.ts'
import { lockName } from './lock-name.ts'
import type { StoreTx } from './store-scope.ts'

/** A query of a model, e.g. `Webhook.in(tx)`. */
interface Rows {
  modelClass(): { tableName: string }
  resultSize(): Promise<number>
}

/**
 * Throws `tooMany`, with the limit as a detail, when a store has `limit` rows of a table already. Call it before an
 * insert.
 */
export async function assertBelowLimit(
  tx: StoreTx,
  rows: Rows,
  limit: number,
  tooMany: ErrorFactory,
): Promise<void> {
  // Lock first: of two inserts at once, each could count one row below the limit.
  await lockName(tx.knex, `limit of ${rows.modelClass().tableName} ${tx.storeId}`)
  if ((await rows.resultSize()) >= limit) throw tooMany({ limit })
}
