import { inStore } from '#shared/platform/db/store-scope.ts'
import { mailSubscriptionEvent as job } from '#shared/subscription-mails/jobs.ts'
import { mailSubscriptionEvent as queueSubscriptionMail } from '#shared/subscription-mails/mail-subscription-event.ts'
import { handle } from '#workers/platform/handle.ts'

/** Queues the mail to the customer about an event of a subscription. */
export const mailSubscriptionEvent = handle(job, ({ storeId, eventId }) =>
  inStore(storeId, (tx) => queueSubscriptionMail(tx, eventId)),
)
