import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Refund } from '#shared/refunds/refund.ts'

export interface RefundToSend {
  /** Its `firstSentAt` is the time of the first call of the gateway; null if this call is the first. */
  refund: Refund
  paymentReference: string
}

/**
 * Prepares the next call of the gateway for a refund. Records the time of the first call before it is made, but returns
 * the refund as it was before that. Returns null if the refund has ended or is not made by the gateway.
 */
export async function prepareRefundToSend(tx: StoreTx, refundId: string): Promise<RefundToSend | null> {
  const refund = await Refund.in(tx).findById(refundId).forNoKeyUpdate()
  if (!refund?.isInProgress || !refund.paymentId) return null
  const payment = await Payment.in(tx).findById(refund.paymentId).throwIfNotFound()
  if (!payment.gatewayReference)
    throw new Error(`The payment ${payment.id} has no gateway reference, so it cannot be refunded`)
  if (!refund.firstSentAt) await Refund.in(tx).findById(refundId).patch({ firstSentAt: now() })
  return { refund, paymentReference: payment.gatewayReference }
}
