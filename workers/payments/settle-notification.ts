import { applyPaymentEvent } from '#shared/payments/gateway-events/apply-payment-event.ts'
import { applySetupEvent } from '#shared/payments/gateway-events/apply-setup-event.ts'
import { claimNotification, findUnhandledNotification } from '#shared/payments/gateway-events/notification.ts'
import { settleNotification as job } from '#shared/payments/jobs.ts'
import { findPaymentByReference } from '#shared/payments/payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { settlePaymentAndExcess } from '#shared/refunds/excess/settle-payment-and-excess.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { settleDispute } from '#workers/disputes/settle-dispute.ts'
import { type StripeEvent, toStripeEvent } from '#workers/gateways/stripe/stripe-events.ts'
import { handle } from '#workers/platform/handle.ts'
import { readAtGateway } from './settle-with-gateway.ts'

/**
 * Applies a notification once, in the transaction that marks it as handled. A dispute is read at the gateway and
 * recorded before that: its event may be older than the last one, and its status does not show it. A repeat changes
 * nothing.
 */
export const settleNotification = handle(job, async ({ storeId, provider, notificationId }) => {
  const notification = await inStore(storeId, (tx) => findUnhandledNotification(tx, provider, notificationId))
  if (!notification) return
  const event = toStripeEvent(notification)
  await readCapture(storeId, provider, event)
  if (event.kind === 'dispute') await settleDispute(storeId, event.reference)
  await inStore(storeId, async (tx) => {
    if (await claimNotification(tx, provider, notificationId)) await applyEvent(tx, event)
  })
})

/** Reads the payment of a refund or dispute whose capture is not known here yet: its event is late or lost. */
async function readCapture(storeId: string, provider: string, event: StripeEvent): Promise<void> {
  const reference = paymentOf(event)
  if (!reference) return
  const payment = await inStore(storeId, (tx) => findPaymentByReference(tx, provider, reference))
  if (payment) await readAtGateway(payment)
}

function paymentOf(event: StripeEvent): string | null {
  if (event.kind === 'refund') return event.refund.paymentReference
  return event.kind === 'dispute' ? event.paymentReference : null
}

async function applyEvent(tx: StoreTx, event: StripeEvent): Promise<void> {
  if (event.kind === 'payment') await applyPaymentEvent(tx, event.payment, settlePaymentAndExcess)
  if (event.kind === 'setup') await applySetupEvent(tx, event.setup)
  if (event.kind === 'refund') await bookGatewayRefund(tx, event.refund)
}
