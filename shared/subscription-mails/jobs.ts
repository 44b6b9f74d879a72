import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Queues the mail to the customer about an event of a subscription. */
export const mailSubscriptionEvent = defineJob('mail-subscription-event', { eventId: Uuid })
