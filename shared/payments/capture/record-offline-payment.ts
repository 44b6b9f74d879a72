import type { OrderActor } from '#shared/orders/actor.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { ENDED_STATUSES } from '#shared/orders/states.ts'
import { reserveResources } from '#shared/orders/stock/resources.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import { findMismatchedPayment, Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { completePayment } from './complete-payment.ts'

/**
 * Inserts a payment that no gateway captured, e.g. a bank transfer or the play money of the sandbox. An order that
 * awaits payment becomes processing, and its part of a voucher is captured. Returns the payment. Throws
 * `order.not_payable` if the order is paid, canceled or refunded, and the errors of `reserveResources`. Does not book
 * earlier refunds: call `markOrderPaid`, except in the sandbox, whose orders have none.
 */
export async function recordOfflinePayment(
  tx: StoreTx,
  orderId: string,
  actor: OrderActor,
  { note = null, provider = 'offline' }: { note?: string | null; provider?: string } = {},
): Promise<Payment> {
  const order = await lockOrder(tx, orderId)
  const isPaid = order.amountCapturedMinor > 0n || order.totalMinor === 0n
  if (isPaid || ENDED_STATUSES.includes(order.status))
    throw OrderErrors.notPayable({ status: isPaid ? 'paid' : order.status, method: order.paymentMethod })
  if (await findMismatchedPayment(tx, orderId))
    throw OrderErrors.notPayable({ status: 'under review', method: order.paymentMethod })

  await cancelPayments(tx, orderId)
  if (order.awaitsPayment) await reserveResources(tx, order, 'processing')
  const payment = await insertPayment(tx, order, { provider, actor })
  await completePayment(tx, order, { paidMinor: order.dueMinor, actor, note })
  return payment
}

async function insertPayment(
  tx: StoreTx,
  { id, dueMinor, currency }: Order,
  { provider, actor }: { provider: string; actor: OrderActor },
): Promise<Payment> {
  const at = now()
  return Payment.in(tx).insert({
    orderId: id,
    provider,
    status: 'captured',
    amountMinor: dueMinor,
    currency,
    capturedMinor: dueMinor,
    capturedCurrency: currency,
    recordedBy: actor,
    capturedAt: at,
    createdAt: at,
    updatedAt: at,
  })
}
