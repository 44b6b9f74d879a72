import { Type } from 'typebox'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Enqueues the comparison of the books of every store. */
export const reconcileStores = definePlatformJob(
  'reconcile-stores',
  {},
  { concurrency: 1, expireInSeconds: 600 },
)

/** Compares the books of one store. A difference fails the job. The last attempt becomes a dead letter and a mail. */
export const reconcileStore = defineJob(
  'reconcile-store',
  {},
  { retries: 2, retryDelaySeconds: 60, concurrency: 4, perStore: 1, expireInSeconds: 3_600 },
)

/**
 * Reads the gateway's lists of the last weeks, and enqueues the comparison of the payments that may differ. Its queue
 * keeps the name that metrics and schedules know.
 */
export const findSuspectPayments = definePlatformJob(
  'compare-with-lists',
  {},
  { retries: 4, retryDelaySeconds: 300, concurrency: 1, expireInSeconds: 4 * 3_600 },
)

/**
 * Compares payments of one store with the gateway. A notification that has not arrived yet counts as a difference. A
 * difference fails the job. The last attempt becomes a dead letter and a mail.
 */
export const comparePayments = defineJob(
  'compare-payments',
  { references: Type.Array(Type.String()) },
  { retries: 3, retryDelaySeconds: 300, concurrency: 4, perStore: 1, expireInSeconds: 3_600 },
)
