import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Completes the returns of an order whose refund has ended, when they are settled. */
export const settleReturn = defineJob('settle-return', { refundId: Type.String() })
