import { purgeAccountRecords } from './accounts/purge-records.ts'
import { purgeCarts } from './cart/purge-carts.ts'
import { discardUnfinishedUpload } from './catalog/discard-unfinished-upload.ts'
import { importProducts } from './catalog/import-products.ts'
import { repriceProducts } from './catalog/reprice-products.ts'
import { publishEvents } from './events/publish-events.ts'
import { purgeIdempotencyKeys } from './idempotency/purge-idempotency-keys.ts'
import { startPasswordReset } from './identity/start-password-reset.ts'
import { sendMail, sendPlatformMail } from './mail/send-mail.ts'
import { releaseHold } from './orders/release-hold.ts'
import { cancelPayment } from './payments/cancel-payment.ts'
import { closePayments } from './payments/close-payments.ts'
import { expireOrder } from './payments/expire-order.ts'
import { openPayment } from './payments/open-payment.ts'
import { settleNotification } from './payments/settle-notification.ts'
import type { Handler } from './platform/handle.ts'
import { purgeRateLimits } from './rate-limits/purge-rate-limits.ts'
import { resendStranded } from './refunds/resend-stranded.ts'
import { returnPayment } from './refunds/return-payment.ts'
import { sendRefund } from './refunds/send-refund.ts'
import { readRemoteCatalog } from './remote-catalog/read-remote-catalog.ts'
import { settleReturn } from './returns/settle-return.ts'
import { verifyDomain } from './stores/verify-domain.ts'
import { purgeDeletedStores, purgeStore } from './super-admin/purge-stores.ts'
import { tallyFigures } from './super-admin/tally-figures.ts'
import { deliverSlowWebhook, deliverWebhook } from './webhooks/deliver-webhook.ts'
import { purgeDeliveries } from './webhooks/purge-deliveries.ts'
import { requeueOverdue } from './webhooks/requeue-overdue.ts'

/** Which verb does which job. Every kind in shared/all-jobs.ts stands here once. */
export const handlers: readonly Handler[] = [
  publishEvents,
  sendMail,
  sendPlatformMail,
  startPasswordReset,
  purgeAccountRecords,
  importProducts,
  repriceProducts,
  discardUnfinishedUpload,
  readRemoteCatalog,
  purgeCarts,
  openPayment,
  cancelPayment,
  closePayments,
  settleNotification,
  expireOrder,
  releaseHold,
  sendRefund,
  resendStranded,
  returnPayment,
  settleReturn,
  deliverWebhook,
  deliverSlowWebhook,
  requeueOverdue,
  purgeDeliveries,
  purgeIdempotencyKeys,
  purgeRateLimits,
  verifyDomain,
  purgeStore,
  purgeDeletedStores,
  tallyFigures,
]
