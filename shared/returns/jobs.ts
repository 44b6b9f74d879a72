import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Looks whether a refund that came to its end was the last thing a return waited for. */
export const settleReturn = defineJob('settle-return', { refundId: Type.String() })
