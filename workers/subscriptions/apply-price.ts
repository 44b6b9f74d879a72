import { inStore } from '#shared/platform/db/store-scope.ts'
import { announcePrices } from '#shared/subscription-mails/announce-prices.ts'
import { applyPrice as job } from '#shared/subscriptions/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Gives a batch of a plan's subscriptions its new price, and notifies their customers. */
export const applyPrice = handle(job, ({ storeId, priceChangeId }) =>
  inStore(storeId, (tx) => announcePrices(tx, priceChangeId)),
)
