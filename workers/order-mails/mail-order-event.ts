import { mailOrderEvent as job } from '#shared/order-mails/jobs.ts'
import { mailOrderEvent as queueOrderMail } from '#shared/order-mails/mail-order-event.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Queues the mail to the buyer about an event of an order. */
export const mailOrderEvent = handle(job, ({ storeId, eventId }) =>
  inStore(storeId, (tx) => queueOrderMail(tx, eventId)),
)
