import type { OrderActor } from '#shared/orders/actor.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { endMismatch } from '#shared/payments/capture/end-mismatch.ts'
import { PaymentErrors } from '#shared/payments/errors.ts'
import { capturedOf, lockPayment, type Payment } from '#shared/payments/payment.ts'
import { recordSurplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'
import { noteDecision } from './mismatch-notes.ts'
import { payWithCapture } from './pay-with-capture.ts'

export const MISMATCH_DECISIONS = ['accept', 'return'] as const
export type MismatchDecision = (typeof MISMATCH_DECISIONS)[number]

/**
 * Applies a decision about a mismatched payment: the gateway captured another amount or currency than was requested.
 * `accept`: the payment pays the order, and what the order does not need is a surplus. `return`: all of it is a
 * surplus. Then books earlier refunds of it by the gateway. Throws `resource.not_found`, `payment.not_mismatched`, and
 * `payment.currency_mismatch` for money in another currency, which can only be returned.
 */
export async function resolveMismatch(
  tx: StoreTx,
  { orderId, paymentId, decision }: { orderId: string; paymentId: string; decision: MismatchDecision },
  actor: OrderActor,
): Promise<void> {
  const { order, payment } = await lockMismatched(tx, orderId, paymentId)
  if (decision === 'accept' && payment.capturedCurrency !== order.currency)
    throw PaymentErrors.currencyMismatch({ captured: payment.capturedCurrency, currency: order.currency })

  await endMismatch(tx, paymentId)
  await noteDecision(tx, order, decision === 'accept' ? 'accepted' : 'returned', actor)
  const decided =
    decision === 'accept'
      ? await payWithCapture(tx, order, payment)
      : await returnMismatched(tx, order, payment)
  await bookExcess(tx, decided)
}

async function lockMismatched(tx: StoreTx, orderId: string, paymentId: string) {
  const locked = await lockPayment(tx, paymentId)
  if (locked?.order.id !== orderId) throw CommonErrors.notFound()
  const { status } = locked.payment
  if (status !== 'mismatched') throw PaymentErrors.notMismatched({ status })
  return locked
}

async function returnMismatched(tx: StoreTx, order: LockedOrder, payment: Payment): Promise<LockedOrder> {
  await recordSurplus(tx, order, payment, {
    amountMinor: capturedOf(payment).amountMinor,
    reason: order.status === 'canceled' ? 'order_canceled' : 'rejected',
  })
  return order
}
