import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Completes the returns of an order whose refund has ended, when they are settled. */
export const settleReturns = defineJob('settle-returns', { refundId: Type.String() })
