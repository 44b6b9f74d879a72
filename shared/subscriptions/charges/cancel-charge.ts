import type { OrderActor } from '#shared/orders/actor.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Charge, findAwaitedPayment } from '#shared/subscriptions/charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'

/**
 * Cancels an open charge with its order. Returns the subscription as it is now. Throws
 * `subscription.charge_in_progress` while the gateway is making the charge.
 */
export async function cancelCharge(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  actor: OrderActor,
): Promise<Subscription> {
  if (charge.orderId) {
    // A charge is sent under the lock of its order. `settleOpenCharge` has locked the order.
    const payment = await findAwaitedPayment(tx, charge)
    if (payment?.status === 'pending' && payment.sentAt) throw SubscriptionErrors.chargeInProgress()
    await changeOrderStatus(tx, charge.orderId, 'canceled', actor)
  }
  await charge.settle(tx)
  return subscription.change(tx, { chargeNo: charge.chargeNo + 1 })
}
