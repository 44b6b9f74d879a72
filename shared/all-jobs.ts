import { discardUnfinishedUpload, importProducts } from './catalog/import/jobs.ts'
import { publishEvents } from './platform/events.ts'
import type { AnyJobDefinition } from './platform/jobs.ts'
import { purgeIdempotencyKeys } from './platform/purge-idempotency-keys.ts'
import { deliverSlowWebhook, deliverWebhook, purgeDeliveries, requeueOverdue } from './webhooks/jobs.ts'

/** Every kind of job: its queue is made with the migrations, its handler stands in workers/handlers.ts. */
export const allJobs: readonly AnyJobDefinition[] = [
  publishEvents,
  importProducts,
  discardUnfinishedUpload,
  deliverWebhook,
  deliverSlowWebhook,
  requeueOverdue,
  purgeDeliveries,
  purgeIdempotencyKeys,
]
