import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Releases what an order holds, when it was not paid in time. */
export const releaseHold = defineJob('release-hold', { orderId: Type.String() })
