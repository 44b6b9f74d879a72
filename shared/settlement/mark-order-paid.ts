import type { OrderActor } from '#shared/orders/actor.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import { ENDED_ORDER_STATUSES } from '#shared/orders/states.ts'
import { reserveResources } from '#shared/orders/stock/resources.ts'
import { assertNotMismatched } from '#shared/payments/assert-not-mismatched.ts'
import { completePayment } from '#shared/payments/capture/complete-payment.ts'
import { insertOfflinePayment } from '#shared/payments/capture/insert-offline-payment.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import type { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'

/**
 * Marks an order as paid outside a gateway, e.g. by bank transfer, to the courier, or by the play money of the sandbox.
 * An order that awaits payment becomes processing, and its part of a voucher is captured. Then books earlier refunds of
 * its other payments by the gateway or a bank. Returns the payment. Throws `order.not_payable` if the order is paid,
 * canceled or refunded, and the errors of `reserveResources`.
 */
export async function markOrderPaid(
  tx: StoreTx,
  orderId: string,
  actor: OrderActor,
  { note = null, provider = 'offline' }: { note?: string | null; provider?: string } = {},
): Promise<Payment> {
  const order = await lockPayable(tx, orderId)
  await cancelPayments(tx, orderId)
  if (order.awaitsPayment) await reserveResources(tx, order, 'processing')
  const payment = await insertOfflinePayment(tx, order, { provider, actor })
  const paid = await completePayment(tx, order, { paidMinor: order.dueMinor, actor, note })
  await bookExcess(tx, paid)
  return payment
}

async function lockPayable(tx: StoreTx, orderId: string): Promise<LockedOrder> {
  const order = await lockOrder(tx, orderId)
  const isPaid = order.amountCapturedMinor > 0n || order.totalMinor === 0n
  if (isPaid) throw OrderErrors.notPayable({ reason: 'paid' })
  if (ENDED_ORDER_STATUSES.has(order.status))
    throw OrderErrors.notPayable({ status: order.status, method: order.paymentMethod })
  await assertNotMismatched(tx, orderId)
  return order
}
