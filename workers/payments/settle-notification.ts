import type Stripe from 'stripe'
import { capturePayment } from '#shared/payments/capture-payment.ts'
import { failPayment } from '#shared/payments/fail-payment.ts'
import { settleNotification as job } from '#shared/payments/jobs.ts'
import { claimNotification, type NotificationType } from '#shared/payments/notification.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyRefundNotification } from '#shared/refunds/settle-refund.ts'
import { toReceipt } from '#workers/gateways/stripe.ts'
import { fromStripeUnits } from '#workers/gateways/stripe-units.ts'
import { handle } from '#workers/platform/handle.ts'

/** Applies a notification once, in the transaction that marks it as handled. */
export const settleNotification = handle(job, ({ storeId, provider, notificationId }) =>
  inStore(storeId, async (tx) => {
    const claimed = await claimNotification(tx, provider, notificationId)
    if (claimed) await SETTLE[claimed.type](tx, claimed.payload as never)
  }),
)

const SETTLE: Record<NotificationType, (tx: StoreTx, payload: never) => Promise<void>> = {
  'payment_intent.succeeded': capture,
  'payment_intent.payment_failed': fail,
  'payment_intent.canceled': cancel,
  'refund.created': settleRefund,
  'refund.updated': settleRefund,
  'refund.failed': settleRefund,
}

async function capture(tx: StoreTx, { id, metadata, amount_received, currency }: Stripe.PaymentIntent) {
  const paymentId = ownPayment(metadata)
  const amountMinor = fromStripeUnits(amount_received, currency)
  const captured = { reference: id, amountMinor, currency: currency.toUpperCase() }
  if (paymentId) await capturePayment(tx, paymentId, captured)
}

async function fail(tx: StoreTx, { metadata, last_payment_error: error }: Stripe.PaymentIntent) {
  const paymentId = ownPayment(metadata)
  const reason = error?.decline_code ?? error?.code ?? null
  if (paymentId) await failPayment(tx, paymentId, { status: 'failed', reason })
}

async function cancel(tx: StoreTx, { metadata, cancellation_reason: reason }: Stripe.PaymentIntent) {
  const paymentId = ownPayment(metadata)
  if (paymentId) await failPayment(tx, paymentId, { status: 'canceled', reason })
}

/** Null for a payment that another system opened. */
const ownPayment = ({ payment_id: id }: Stripe.Metadata): string | null => (id && isUuid(id) ? id : null)

async function settleRefund(tx: StoreTx, refund: Stripe.Refund) {
  await applyRefundNotification(tx, { refundId: refund.metadata?.refund_id ?? null, ...toReceipt(refund) })
}
