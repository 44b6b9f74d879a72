import { lockOrder } from '#shared/orders/order.ts'
import { type StatusAtGateway, settlePayment } from '#shared/payments/notifications/settle-payment.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyExcess } from './apply-excess.ts'
import { returnUndecidedPayments } from './resolve-mismatch.ts'

/**
 * Applies the status of a payment at its gateway, and after a capture the refunds that follow from it: refunds of other
 * payments of the order are booked on what this one has paid, and a canceled order returns its mismatched payments.
 */
export async function settlePaymentAndRefunds(
  tx: StoreTx,
  paymentId: string,
  outcome: StatusAtGateway,
): Promise<void> {
  await settlePayment(tx, paymentId, outcome)
  if (outcome.status !== 'captured') return
  const payment = await Payment.in(tx).findById(paymentId)
  if (!payment) return
  const order = await lockOrder(tx, payment.orderId)
  await applyExcess(tx, order)
  await returnUndecidedPayments(tx, order)
}
