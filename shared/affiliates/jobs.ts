import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Updates the commission of an order after a change of the order. */
export const settleCommission = defineJob('settle-commission', { orderId: Uuid })
