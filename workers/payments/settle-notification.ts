import { settleNotification as job } from '#shared/payments/jobs.ts'
import { applyPaymentNotification } from '#shared/payments/notifications/apply-payment-notification.ts'
import { applySetupNotification } from '#shared/payments/notifications/apply-setup-notification.ts'
import { claimNotification, findUnhandledNotification } from '#shared/payments/notifications/notification.ts'
import { findPaymentByReference } from '#shared/payments/payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { settlePaymentAndRefunds } from '#shared/refunds/excess/settle-payment-and-refunds.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { settleDispute } from '#workers/disputes/settle-dispute.ts'
import {
  type NotificationContents,
  toNotificationContents,
} from '#workers/gateways/stripe/notification-contents.ts'
import { handle } from '#workers/platform/handle.ts'
import { refreshFromGateway } from './refresh-from-gateway.ts'

/**
 * Applies a notification once, in the transaction that marks it as handled. A dispute is read at the gateway and
 * recorded before that: its notification may be older than the last one, and its status does not show it. A repeat
 * changes nothing.
 */
export const settleNotification = handle(job, async ({ storeId, provider, notificationId }) => {
  const saved = await inStore(storeId, (tx) => findUnhandledNotification(tx, provider, notificationId))
  if (!saved) return
  const notification = toNotificationContents(saved)
  await refreshUnknownCapture(storeId, provider, notification)
  if (notification.kind === 'dispute') await settleDispute(storeId, notification.reference)
  await inStore(storeId, async (tx) => {
    if (await claimNotification(tx, provider, notificationId)) await applyNotification(tx, notification)
  })
})

/** Refreshes the payment of a refund or dispute, unless its capture is known: its notification may be late or lost. */
async function refreshUnknownCapture(
  storeId: string,
  provider: string,
  notification: NotificationContents,
): Promise<void> {
  const reference = paymentOf(notification)
  if (!reference) return
  const payment = await inStore(storeId, (tx) => findPaymentByReference(tx, provider, reference))
  if (payment) await refreshFromGateway(payment)
}

function paymentOf(notification: NotificationContents): string | null {
  if (notification.kind === 'refund') return notification.refund.paymentReference
  return notification.kind === 'dispute' ? notification.paymentReference : null
}

async function applyNotification(tx: StoreTx, notification: NotificationContents): Promise<void> {
  if (notification.kind === 'payment')
    await applyPaymentNotification(tx, notification.payment, settlePaymentAndRefunds)
  if (notification.kind === 'setup') await applySetupNotification(tx, notification.setup)
  if (notification.kind === 'refund') await bookGatewayRefund(tx, notification.refund)
}
