import type { OrderActor } from '#shared/orders/actor.ts'
import { transitionOrder } from '#shared/orders/lifecycle/transition-order.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { PaymentWindow } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Makes a failed order pending, with a new time to pay it. A pending order keeps its own. */
export async function reopenOrder(
  tx: StoreTx,
  order: LockedOrder,
  { expiresAt }: PaymentWindow,
  actor: OrderActor,
): Promise<void> {
  if (order.status === 'failed')
    await transitionOrder(tx, order, { to: 'pending', actor, set: { expiresAt } })
}
