import { nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from './voucher.ts'

/**
 * Holds the vouchers that were bought with or issued for an order, which the caller has locked, while a dispute of it is
 * open: their value could be spent and lost with the disputed money. Afterwards they can be spent again.
 */
export const holdDisputed = (tx: StoreTx, orderId: string, isDisputed: boolean): PromiseLike<unknown> =>
  Voucher.in(tx)
    .where({ order_id: orderId, is_disputed: !isDisputed })
    .patch({ isDisputed, updatedAt: nextUpdatedAtSql() as never })
