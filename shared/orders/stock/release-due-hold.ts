import { giveCouponBack } from '../../coupons/move-use.ts'
import { now } from '../../platform/clock.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { StoreTx } from '../../platform/store-scope.ts'
import { releaseDueVoucher } from '../../vouchers/release-voucher.ts'
import { releaseHold } from '../jobs.ts'
import { lockOrder } from '../lock-order.ts'
import { moveStock } from './move-stock.ts'

/**
 * Lets go of what is kept for an order, its stock, its coupon and its part of a voucher, when the time for that is over.
 * The order stays payable: a payment that still comes takes all of it again, if it is there. A hold that was renewed
 * meanwhile is looked at again when it ends.
 */
export async function releaseDueHold(tx: StoreTx, orderId: string): Promise<void> {
  await releaseDueVoucher(tx, await lockOrder(tx, orderId))
  const held = await tx
    .knex('stock_reservations')
    .where({ store_id: tx.storeId, order_id: orderId, state: 'held' })
    .whereNotNull('expires_at')
    .first('expires_at')
  if (!held) return
  if (held.expires_at > now()) {
    await enqueue(tx, releaseHold, { orderId }, { startAfter: held.expires_at })
    return
  }
  await moveStock(tx, { orderId, from: ['held'], to: 'released' })
  await giveCouponBack(tx, orderId)
}
