import { repriceProducts as job } from '#shared/catalog/jobs.ts'
import { repriceDueProducts } from '#shared/catalog/prices/reprice-products.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { handle } from '#workers/platform/handle.ts'

/** Lets sales and specials begin and end where lists are sorted and filtered by price. */
export const repriceProducts = handle(job, async ({ storeId, at }) => {
  // The queue goes by the database's clock, which may run ahead of this machine's.
  const moment = new Date(Math.max(now().getTime(), Date.parse(at)))
  await inStore(storeId, (tx) => repriceDueProducts(tx, moment))
})
