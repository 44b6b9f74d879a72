import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Queues the mail to the customer about an event of a subscription. */
export const mailSubscriptionEvent = defineJob('mail-subscription-event', { eventId: Type.String() })
