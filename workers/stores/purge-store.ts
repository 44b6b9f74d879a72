import { hasUnsettledMoney } from '#shared/refunds/has-unsettled-money.ts'
import { enqueueForStores } from '#shared/stores/enqueue-for-stores.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { purgeDeletedStores as deletedJob, purgeStore as job } from '#shared/stores/jobs.ts'
import { findPurgeableStoreIds, purgeStore as purge } from '#shared/stores/lifecycle/purge-store.ts'
import { countOpenBusiness } from '#shared/super-admin/count-open-business.ts'
import { removeImagesOfStore } from '#workers/images/remove-images-of-store.ts'
import { detachCardsOfStore } from '#workers/payments/saved-cards/detach-cards-of-store.ts'
import { handle } from '#workers/platform/handle.ts'

const checks = { hasUnsettledMoney, countOpenBusiness }

/** Removes a deleted store. A restored store stays, and so does a store with unsettled money or open business. */
export const purgeStore = handle(job, ({ storeId }, { signal }) =>
  purge(storeId, {
    signal,
    checks,
    removeImages: () => removeImagesOfStore(storeId, signal),
    detachCards: () => detachCardsOfStore(storeId, signal),
  }),
)

/** Queues the removal of every store whose retention has ended. */
export const purgeDeletedStores = handle(deletedJob, (_payload, { signal }) =>
  isolateStoreFailures(async (runForStore) => {
    const due = (await findPurgeableStoreIds()).map((storeId) => ({ storeId }))
    await enqueueForStores(runForStore, job, due)
  }, signal),
)
