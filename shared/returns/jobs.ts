import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Completes the settled returns of an order after one of its refunds has ended. */
export const settleReturns = defineJob('settle-returns', { refundId: Uuid })

/** Completes the settled returns of a canceled order, for which the store owes nothing. */
export const settleReturnsOfCanceledOrder = defineJob('settle-returns-of-canceled-order', { orderId: Uuid })
