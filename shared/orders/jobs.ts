import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Releases the resources of an order that was not paid in time. */
export const releaseHold = defineJob('release-hold', { orderId: Uuid })
