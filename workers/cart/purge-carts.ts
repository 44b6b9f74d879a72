import { purgeCarts as job } from '#shared/cart/jobs.ts'
import { purgeExpiredCarts } from '#shared/cart/purge-expired-carts.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes the expired guest carts of every store. */
export const purgeCarts = handle(job, async (_payload, { signal }) => {
  await forEachStore(signal, async (storeId) => {
    while (await inStore(storeId, purgeExpiredCarts)) signal.throwIfAborted()
  })
})
