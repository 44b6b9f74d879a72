import { findOrder, lockOrder } from '#shared/orders/order.ts'
import { releaseHeld } from '#shared/orders/stock/hold.ts'
import { type CardSetup, findSetupsOpenAtGateway } from '#shared/payments/card-setup.ts'
import { findMismatchedPayment, findPaymentsOpenAtGateway, type Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { cancelCardSetups } from './cancel-card-setups.ts'
import { cancelPayments } from './cancel-payments.ts'
import { failOrder } from './fail-payment.ts'

/**
 * Returns the payments and card setups to close at the gateway before an order expires; none if it does not expire now.
 */
export async function findPaymentsAndSetupsToExpire(
  tx: StoreTx,
  orderId: string,
): Promise<{ payments: Payment[]; setups: CardSetup[] }> {
  const order = await findOrder(tx, orderId)
  const isDue = order.awaitsPayment && order.expiresAt && order.expiresAt <= now()
  if (!isDue) return { payments: [], setups: [] }
  return {
    payments: await findPaymentsOpenAtGateway(tx, orderId),
    setups: await findSetupsOpenAtGateway(tx, { orderId }),
  }
}

/**
 * Fails an order that was not paid before `expiresAt`, closes its payments, and releases its resources. An order with a
 * mismatched payment waits for the decision of staff.
 */
export async function expireDueOrder(tx: StoreTx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order.awaitsPayment || !order.expiresAt || order.expiresAt > now()) return
  if (await findMismatchedPayment(tx, orderId)) return
  await cancelPayments(tx, orderId)
  await cancelCardSetups(tx, { orderId })
  await releaseHeld(tx, order)
  if (order.status === 'pending') await failOrder(tx, order, 'system', 'It was not paid in its time.')
}
