import { Type } from 'typebox'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Sends a refund to the gateway, or asks how it fares there. An outcome that stays open is no reason to give up on
 * money: it is tried for half a day before a person is called. A call may take the gateway's time-out twice.
 */
export const sendRefund = defineJob(
  'send-refund',
  { refundId: Type.String() },
  { retries: 80, retryDelay: 2, retryDelayMax: 600, expireIn: 60, concurrency: 8, perStore: 4 },
)

/** Sends refunds on their way again that are under way without a job: their tries were used up, or it was lost. */
export const resendStranded = definePlatformJob('resend-stranded-refunds', {}, { concurrency: 1, retries: 2 })
