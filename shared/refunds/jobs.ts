import { Type } from 'typebox'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Sends a refund to the gateway, or reads its status there. While the outcome is unknown the job retries for half a
 * day, then it goes to the dead letters. A call may take the gateway's time-out twice.
 */
export const sendRefund = defineJob(
  'send-refund',
  { refundId: Type.String() },
  {
    retries: 80,
    retryDelaySeconds: 2,
    retryDelayMaxSeconds: 600,
    expireInSeconds: 60,
    concurrency: 16,
    perStore: 4,
  },
)

/** Enqueues a job for every refund in progress that has none: its retries are used up, or the job was lost. */
export const recoverRefunds = definePlatformJob('recover-refunds', {}, { concurrency: 1, retries: 2 })
