import { lockOrder } from '#shared/orders/order.ts'
import { applyGatewayStatus, type StatusAtGateway } from '#shared/payments/gateway/apply-gateway-status.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'
import { returnUndecidedPayments } from './resolve-mismatch.ts'

/**
 * Applies the status of a payment at its gateway. A capture pays the order. Then earlier refunds of the order's other
 * payments are booked on it, and a canceled order pays back its mismatched payments.
 */
export async function settlePayment(tx: StoreTx, paymentId: string, outcome: StatusAtGateway): Promise<void> {
  await applyGatewayStatus(tx, paymentId, outcome)
  if (outcome.status !== 'captured') return
  const payment = await Payment.in(tx).findById(paymentId)
  if (!payment) return
  const order = await lockOrder(tx, payment.orderId)
  await bookExcess(tx, order)
  await returnUndecidedPayments(tx, order)
}
