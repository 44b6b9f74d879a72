import { repriceProducts as job } from '#shared/catalog/jobs.ts'
import { repriceDueProducts } from '#shared/catalog/prices/reprice-products.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { handle } from '#workers/platform/handle.ts'

/** Updates current prices when a sale or special price starts or ends. Lists sort and filter by them. */
export const repriceProducts = handle(job, async ({ storeId, at }, { signal }) => {
  // The queue uses the database's clock, which can be ahead of this machine's.
  const time = new Date(Math.max(now().getTime(), Date.parse(at)))
  while (await inStore(storeId, (tx) => repriceDueProducts(tx, time))) signal.throwIfAborted()
})
