import { now } from '../../platform/clock.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { StoreTx } from '../../platform/store-scope.ts'
import { releaseHold } from '../jobs.ts'
import { lockOrder } from '../lock-order.ts'
import { moveStock } from './move-stock.ts'

/**
 * Lets go of an order's stock when its hold has ended. The order stays payable: a payment that still comes takes the
 * stock again, if there is any. A hold that was renewed meanwhile is looked at again when it ends.
 */
export async function releaseDueHold(tx: StoreTx, orderId: string): Promise<void> {
  await lockOrder(tx, orderId)
  const held = await tx
    .knex('stock_reservations')
    .where({ store_id: tx.storeId, order_id: orderId, state: 'held' })
    .whereNotNull('expires_at')
    .first('expires_at')
  if (!held) return
  if (held.expires_at > now()) await enqueue(tx, releaseHold, { orderId }, { startAfter: held.expires_at })
  else await moveStock(tx, { orderId, from: ['held'], to: 'released' })
}
