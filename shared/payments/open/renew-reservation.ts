import type { LockedOrder } from '#shared/orders/order.ts'
import { renewHold } from '#shared/orders/stock/hold.ts'
import { reserveResources } from '#shared/orders/stock/resources.ts'
import type { PaymentWindow } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Reserves the released resources of an order again, because a payment for stock that is gone would only be refunded.
 */
export async function renewReservation(
  tx: StoreTx,
  order: LockedOrder,
  { holdUntil }: PaymentWindow,
): Promise<void> {
  // Do not extend a running hold: repeated requests could keep the stock from other buyers for ever.
  if (order.holdUntil && order.holdUntil > now()) return
  await reserveResources(tx, order, 'pending')
  await renewHold(tx, order.id, holdUntil)
}
