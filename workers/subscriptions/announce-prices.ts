import { inStore } from '#shared/platform/db/store-scope.ts'
import { announceAndMailPrices } from '#shared/subscription-mails/announce-and-mail-prices.ts'
import { announcePrices as job } from '#shared/subscriptions/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Announces a plan's new price to a batch of its subscriptions, and queues the mails to their customers. */
export const announcePrices = handle(job, ({ storeId, priceChangeId }) =>
  inStore(storeId, (tx) => announceAndMailPrices(tx, priceChangeId)),
)
