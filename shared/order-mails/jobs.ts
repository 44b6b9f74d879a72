import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Queues the mail to the buyer about an event of an order. */
export const mailOrderEvent = defineJob('mail-order-event', { eventId: Uuid })
