import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Completes the return of a refund that has ended, when it is settled. */
export const settleReturn = defineJob('settle-return', { refundId: Type.String() })
