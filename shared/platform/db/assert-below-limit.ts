import type { ErrorFactory } from '#shared/platform/errors.ts'
import { lockName } from './lock-name.ts'
import type { StoreTx } from './store-scope.ts'

/** A query of a model, e.g. `Webhook.in(tx)`. */
interface Rows {
  modelClass(): { tableName: string }
  resultSize(): Promise<number>
}

/**
 * Throws `tooMany`, with the limit as a detail, if a store already has `limit` rows of a table. Call it before an
 * insert.
 */
export async function assertBelowLimit(
  tx: StoreTx,
  rows: Rows,
  limit: number,
  tooMany: ErrorFactory<{ limit: number }>,
): Promise<void> {
  // Lock first: two concurrent inserts could both count one row below the limit.
  await lockName(tx.knex, `limit of ${rows.modelClass().tableName} ${tx.storeId}`)
  if ((await rows.resultSize()) >= limit) throw tooMany({ limit })
}
