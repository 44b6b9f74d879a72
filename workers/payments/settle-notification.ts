import type Stripe from 'stripe'
import { recordDispute } from '#shared/disputes/record-dispute.ts'
import { applyStatus } from '#shared/payments/apply-status.ts'
import { settleNotification as job } from '#shared/payments/jobs.ts'
import { claimNotification, findNotification, type NotificationType } from '#shared/payments/notification.ts'
import { Payment } from '#shared/payments/payment.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { bookGatewayRefund } from '#shared/refunds/book-gateway-refund.ts'
import { toDisputeFact, toGatewayRefund, toStatus } from '#workers/gateways/stripe-objects.ts'
import { handle } from '#workers/platform/handle.ts'
import { readAtGateway } from './settle-with-gateway.ts'

/** Applies a notification once, in the transaction that marks it as handled. */
export const settleNotification = handle(job, async ({ storeId, provider, notificationId }) => {
  const uncaptured = await inStore(storeId, (tx) => findUncaptured(tx, provider, notificationId))
  if (uncaptured) await readAtGateway(uncaptured)
  await inStore(storeId, async (tx) => {
    const claimed = await claimNotification(tx, provider, notificationId)
    if (claimed) await SETTLE[claimed.type](tx, claimed.payload as never)
  })
})

/** The payment of a refund or dispute whose capture is not known here yet: its event is late or lost. */
async function findUncaptured(tx: StoreTx, provider: string, id: string): Promise<Payment | undefined> {
  const { payload } = (await findNotification(tx, provider, id)) ?? {}
  const { payment_intent: reference } = (payload ?? {}) as { payment_intent?: string }
  if (!reference) return undefined
  return Payment.in(tx).findOne({ provider, gateway_reference: reference }).whereNull('closed_at_gateway')
}

const SETTLE: Record<NotificationType, (tx: StoreTx, payload: never) => Promise<void>> = {
  'payment_intent.succeeded': settlePayment,
  'payment_intent.payment_failed': settlePayment,
  'payment_intent.canceled': settlePayment,
  'refund.created': settleRefund,
  'refund.updated': settleRefund,
  'refund.failed': settleRefund,
  'charge.dispute.created': settleDispute,
  'charge.dispute.updated': settleDispute,
  'charge.dispute.closed': settleDispute,
}

async function settlePayment(tx: StoreTx, intent: Stripe.PaymentIntent) {
  const { payment_id: paymentId } = intent.metadata
  // Another system may have opened it.
  if (paymentId && isUuid(paymentId)) await applyStatus(tx, paymentId, toStatus(intent))
}

async function settleRefund(tx: StoreTx, refund: Stripe.Refund) {
  const found = toGatewayRefund(refund)
  if (found) await bookGatewayRefund(tx, found)
}

async function settleDispute(tx: StoreTx, dispute: Stripe.Dispute) {
  const found = toDisputeFact(dispute)
  if (found) await recordDispute(tx, found)
}
