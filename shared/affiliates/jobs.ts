import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Brings the commission of an order into line with the order. */
export const settleCommission = defineJob('settle-commission', { orderId: Type.String() })
