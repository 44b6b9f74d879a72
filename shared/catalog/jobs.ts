import { Timestamp } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Updates the current prices of products when the window of a sale or price rule starts or ends. */
export const repriceProducts = defineJob('reprice-products', { at: Timestamp }, { perStore: 1 })

/** Enqueues the price changes of the next hour, of all stores. */
export const enqueuePriceChanges = definePlatformJob(
  'enqueue-price-changes',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)
