import type { OrderActor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { PaymentErrors } from '../errors.ts'
import { lockPayment, Payment } from '../payment.ts'
import { scheduleExpiry } from '../payment-window.ts'
import { recordSurplus } from '../surplus.ts'
import { applyCapture } from './capture-payment.ts'
import { recordDecision } from './mismatch.ts'

export const MISMATCH_DECISIONS = ['accept', 'return'] as const
export type MismatchDecision = (typeof MISMATCH_DECISIONS)[number]

/**
 * Decides about a payment of which the gateway captured another amount or currency than was requested. `accept`: it
 * pays the order; what exceeds the requested amount is a surplus. `return`: all of it is a surplus. Throws 404, 409
 * `payment.not_mismatched`, and 422 `payment.currency_mismatch` for money in another currency, which can only be
 * returned.
 */
export async function applyDecision(
  tx: StoreTx,
  { orderId, paymentId, decision }: { orderId: string; paymentId: string; decision: MismatchDecision },
  actor: OrderActor,
): Promise<void> {
  const locked = await lockPayment(tx, paymentId)
  if (locked?.order.id !== orderId) throw CommonErrors.notFound()
  const { payment, order } = locked
  if (payment.status !== 'mismatched') throw PaymentErrors.notMismatched({ status: payment.status })
  if (decision === 'accept' && payment.capturedCurrency !== order.currency)
    throw PaymentErrors.currencyMismatch({ captured: payment.capturedCurrency, currency: order.currency })

  await Payment.in(tx).findById(paymentId).patch({ status: 'captured', updatedAt: now() })
  await recordDecision(tx, order, decision === 'accept' ? 'accepted' : 'returned', actor)
  if (decision === 'accept') return applyCapture(tx, order, payment)
  // The order waited for this decision beyond its time.
  if (order.status === 'pending' && order.expiresAt) await scheduleExpiry(tx, orderId, order.expiresAt)
  const amountMinor = payment.capturedMinor ?? 0n
  await recordSurplus(tx, order, payment, {
    amountMinor,
    reason: order.status === 'canceled' ? 'order_canceled' : 'rejected',
  })
}
