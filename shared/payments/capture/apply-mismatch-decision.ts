import type { OrderActor } from '#shared/orders/actor.ts'
import { PaymentErrors } from '#shared/payments/errors.ts'
import { lockPayment, Payment } from '#shared/payments/payment.ts'
import { scheduleExpiry } from '#shared/payments/payment-window.ts'
import { recordSurplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { recordDecision } from './mismatch.ts'
import { applyCapture } from './record-capture.ts'

export const MISMATCH_DECISIONS = ['accept', 'return'] as const
export type MismatchDecision = (typeof MISMATCH_DECISIONS)[number]

/**
 * Changes a mismatched payment as staff decided: the gateway captured another amount or currency than was requested.
 * `accept`: the payment pays the order, and any excess is a surplus. `return`: all of it is a surplus. Throws 404, 409
 * `payment.not_mismatched`, and 422 `payment.currency_mismatch` for money in another currency, which can only be
 * returned. Does not book earlier refunds: call `resolveMismatch`.
 */
export async function applyMismatchDecision(
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
  // The order may be overdue, because it waited for this decision.
  if (order.status === 'pending' && order.expiresAt) await scheduleExpiry(tx, orderId, order.expiresAt)
  const amountMinor = payment.capturedMinor ?? 0n
  await recordSurplus(tx, order, payment, {
    amountMinor,
    reason: order.status === 'canceled' ? 'order_canceled' : 'rejected',
  })
}
