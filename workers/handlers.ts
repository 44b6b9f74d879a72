import { discardUnfinishedUpload } from './catalog/discard-unfinished-upload.ts'
import { importProducts } from './catalog/import-products.ts'
import { publishEvents } from './events/publish-events.ts'
import { purgeIdempotencyKeys } from './idempotency/purge-keys.ts'
import type { Handler } from './platform/handle.ts'
import { deliverSlowWebhook, deliverWebhook } from './webhooks/deliver-webhook.ts'
import { purgeDeliveries } from './webhooks/purge-deliveries.ts'
import { requeueOverdue } from './webhooks/requeue-overdue.ts'

/** Which verb does which job. Every kind in shared/all-jobs.ts stands here once. */
export const handlers: readonly Handler[] = [
  publishEvents,
  importProducts,
  discardUnfinishedUpload,
  deliverWebhook,
  deliverSlowWebhook,
  requeueOverdue,
  purgeDeliveries,
  purgeIdempotencyKeys,
]
