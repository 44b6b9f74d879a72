import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Lets go of stock that was held for a payment that did not come in time. */
export const releaseHold = defineJob('release-hold', { orderId: Type.String() })
