import { nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Return } from './return.ts'
import { ReturnItem } from './return-item.ts'

/** Erases the texts of the returns of orders. Returns their ids. */
export async function anonymizeReturns(tx: StoreTx, orderIds: readonly string[]): Promise<string[]> {
  const returns = await Return.in(tx)
    .whereIn('order_id', [...orderIds])
    .patch({ comment: null, message: null, metadata: {}, updatedAt: nextUpdatedAtSql() as never })
    .returning('id')
  const ids = returns.map(({ id }) => id)
  await ReturnItem.in(tx).whereIn('return_id', ids).patch({ note: null })
  return ids
}
