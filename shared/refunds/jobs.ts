import { CALLS_GATEWAY } from '#shared/payments/jobs.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Sends a refund to the gateway, or reads its status there. While the outcome is unknown, the job retries for half a
 * day. Then it goes to the dead letters.
 */
export const sendRefund = defineJob(
  'send-refund',
  { refundId: Uuid },
  {
    ...CALLS_GATEWAY,
    retries: 80,
    retryDelaySeconds: 2,
    retryDelayMaxSeconds: 600,
    concurrency: 16,
    perStore: 4,
  },
)

/** Enqueues a job for each refund in progress whose job is lost or has used up its retries. */
export const recoverRefunds = definePlatformJob('recover-refunds', {}, { concurrency: 1, retries: 2 })
