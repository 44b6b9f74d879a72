import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { Order } from '#shared/orders/order.ts'
import { addOrderNote } from '#shared/orders/order-history.ts'
import { recordReturned, Surplus, scheduleAttempt } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emitRefundEvent, orderRefundFailed } from './events.ts'
import { recordExcess } from './record-excess.ts'
import type { Refund } from './refund.ts'
import type { RefundStatus } from './states.ts'

/** Records the success of a refund that returns a surplus. It is no part of the refunded amount of the order. */
export async function recordSurplusSuccess(
  tx: StoreTx,
  order: Order,
  refund: Refund,
  surplusId: string,
): Promise<void> {
  const surplus = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  await recordReturned(tx, surplusId, await recordExcess(tx, refund, surplus.owedMinor))
  await addOrderNote(tx, order, 'Money that was paid too much is back with the buyer', 'gateway')
  await emitOrderEvents(tx, order.id, [orderUpdated])
}

/** Records the failure of a refund that returns a surplus, and schedules the next attempt for what is owed. */
export async function recordSurplusFailure(
  tx: StoreTx,
  refund: Refund,
  before: RefundStatus,
  surplusId: string,
): Promise<void> {
  const returnedMinor = refund.amountMinor - refund.excessMinor
  if (before === 'succeeded') await recordReturned(tx, surplusId, -returnedMinor)
  const surplus = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  if (surplus.owedMinor > 0n) await scheduleAttempt(tx, surplus, refund.failureReason)
  await emitRefundEvent(tx, orderRefundFailed, refund)
}
