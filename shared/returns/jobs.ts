import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Completes the settled returns of an order after one of its refunds has ended. */
export const settleReturns = defineJob('settle-returns', { refundId: Uuid })
