import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Refund } from './refund.ts'

/** A refund on its way to the gateway. */
export interface SendingRefund {
  refund: Refund
  paymentReference: string
  /** When the gateway may have heard of it first; null: never before. */
  sentBeforeAt: Date | null
}

/** Notes that the gateway is about to hear of a refund. Null: there is nothing to send, or no more. */
export async function beginSending(tx: StoreTx, refundId: string): Promise<SendingRefund | null> {
  const refund = await Refund.in(tx).findById(refundId).forNoKeyUpdate()
  if (!refund?.isUnderWay || !refund.paymentId) return null
  const payment = await Payment.in(tx).findById(refund.paymentId).throwIfNotFound()
  if (!payment.gatewayReference) throw new Error(`The payment ${payment.id} has no reference to refund it by`)
  if (!refund.firstSentAt) await Refund.in(tx).findById(refundId).patch({ firstSentAt: now() })
  return { refund, paymentReference: payment.gatewayReference, sentBeforeAt: refund.firstSentAt }
}
