import { applyNotification as job } from '#shared/payments/jobs.ts'
import { applySetupNotification } from '#shared/payments/notifications/apply-setup-notification.ts'
import {
  claimNotification,
  findUnhandledNotification,
} from '#shared/payments/notifications/saved-notification.ts'
import { findPaymentByReference } from '#shared/payments/payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { applyPaymentNotification } from '#shared/settlement/apply-payment-notification.ts'
import { refreshDispute } from '#workers/disputes/refresh-dispute.ts'
import {
  type NotificationContents,
  toNotificationContents,
} from '#workers/gateways/stripe/to-notification-contents.ts'
import { refreshFromGateway } from '#workers/payments/refresh-from-gateway.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Applies a notification once, in the transaction that marks it as handled. Before that, it reads and records a dispute
 * from the gateway, because a notification does not show whether its status is the latest. A repeat changes nothing.
 */
export const applyNotification = handle(job, async ({ storeId, provider, notificationId }) => {
  const saved = await inStore(storeId, (tx) => findUnhandledNotification(tx, provider, notificationId))
  if (!saved) return
  const notification = toNotificationContents(saved)
  await refreshUnknownCapture(storeId, provider, notification)
  if (notification.kind === 'dispute') await refreshDispute(storeId, notification.reference)
  await inStore(storeId, async (tx) => {
    if (await claimNotification(tx, provider, notificationId)) await applyContents(tx, notification)
  })
})

/**
 * Refreshes the payment of a refund or dispute if its capture is not known here. The notification of the capture may be
 * late or lost.
 */
async function refreshUnknownCapture(
  storeId: string,
  provider: string,
  notification: NotificationContents,
): Promise<void> {
  const reference = paymentReferenceOf(notification)
  if (!reference) return
  const payment = await inStore(storeId, (tx) => findPaymentByReference(tx, provider, reference))
  if (payment) await refreshFromGateway(payment)
}

function paymentReferenceOf(notification: NotificationContents): string | null {
  if (notification.kind === 'refund') return notification.refund.paymentReference
  return notification.kind === 'dispute' ? notification.paymentReference : null
}

async function applyContents(tx: StoreTx, notification: NotificationContents): Promise<void> {
  if (notification.kind === 'payment') await applyPaymentNotification(tx, notification.payment)
  if (notification.kind === 'setup') await applySetupNotification(tx, notification.setup)
  if (notification.kind === 'refund') await bookGatewayRefund(tx, notification.refund)
}
