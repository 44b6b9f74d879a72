import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { openPayment } from './jobs.ts'
import { Payment } from './payment.ts'

/** Starts a card payment of an order's total less its voucher. A worker opens it at the gateway under the payment's id. */
export async function startPayment(
  tx: StoreTx,
  { id, dueMinor, currency, expiresAt }: Pick<Order, 'id' | 'dueMinor' | 'currency' | 'expiresAt'>,
): Promise<Payment> {
  const at = now()
  const payment = await Payment.in(tx).insert({
    orderId: id,
    provider: 'stripe',
    status: 'pending',
    amountMinor: dueMinor,
    currency,
    expiresAt,
    createdAt: at,
    updatedAt: at,
  })
  await enqueue(tx, openPayment, { paymentId: payment.id })
  return payment
}
