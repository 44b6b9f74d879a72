import { inStore } from '#shared/platform/db/store-scope.ts'
import { remindSubscriber as remind } from '#shared/subscription-mails/remind-subscriber.ts'
import { remindSubscriber as job } from '#shared/subscriptions/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Queues the mail that reminds a customer of a charge. */
export const remindSubscriber = handle(job, ({ storeId, subscriptionId }) =>
  inStore(storeId, (tx) => remind(tx, subscriptionId)),
)
