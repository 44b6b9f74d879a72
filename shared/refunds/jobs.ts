import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Sends a refund to the gateway, or reads its status there. While the outcome is unknown, the job retries for half a
 * day. Then it goes to the dead letters. A call can take twice the gateway's time-out.
 */
export const sendRefund = defineJob(
  'send-refund',
  { refundId: Uuid },
  {
    retries: 80,
    retryDelaySeconds: 2,
    retryDelayMaxSeconds: 600,
    expireInSeconds: 60,
    concurrency: 16,
    perStore: 4,
  },
)

/** Enqueues a job for each refund in progress whose job is lost or has used up its retries. */
export const recoverRefunds = definePlatformJob('recover-refunds', {}, { concurrency: 1, retries: 2 })
