import { purgeAccountRecords } from './accounts/jobs.ts'
import { purgeCarts } from './cart/jobs.ts'
import { discardUnfinishedUpload, importProducts } from './catalog/import/jobs.ts'
import { repriceProducts } from './catalog/jobs.ts'
import { startPasswordReset } from './identity/jobs.ts'
import { sendMail, sendPlatformMail } from './mail/jobs.ts'
import { releaseHold } from './orders/jobs.ts'
import {
  cancelPayment,
  closePayments,
  expireOrder,
  openPayment,
  returnPayment,
  settleNotification,
} from './payments/jobs.ts'
import type { AnyJobDefinition } from './platform/define-job.ts'
import { publishEvents } from './platform/events.ts'
import { purgeIdempotencyKeys } from './platform/purge-idempotency-keys.ts'
import { purgeRateLimits } from './platform/purge-rate-limits.ts'
import { resendStranded, sendRefund } from './refunds/jobs.ts'
import { readRemoteCatalog } from './remote-catalog/jobs.ts'
import { settleReturn } from './returns/jobs.ts'
import { verifyDomain } from './stores/jobs.ts'
import { purgeDeletedStores, purgeStore, tallyFigures } from './super-admin/jobs.ts'
import { deliverSlowWebhook, deliverWebhook, purgeDeliveries, requeueOverdue } from './webhooks/jobs.ts'

/** Every kind of job: its queue is made with the migrations, its handler stands in workers/handlers.ts. */
export const allJobs: readonly AnyJobDefinition[] = [
  publishEvents,
  sendMail,
  sendPlatformMail,
  startPasswordReset,
  purgeAccountRecords,
  purgeCarts,
  releaseHold,
  openPayment,
  cancelPayment,
  closePayments,
  expireOrder,
  returnPayment,
  settleNotification,
  importProducts,
  repriceProducts,
  discardUnfinishedUpload,
  readRemoteCatalog,
  sendRefund,
  resendStranded,
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
