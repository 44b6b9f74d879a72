import { inStore } from '#shared/platform/db/store-scope.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import {
  purgeDeliveries as purge,
  purgeDeletedWebhooks,
} from '#shared/webhooks/deliveries/purge-deliveries.ts'
import { purgeDeliveries as job } from '#shared/webhooks/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes deliveries older than 30 days in all stores, and deleted webhooks that have none left. */
export const purgeDeliveries = handle(job, async (_payload, { signal }) => {
  await forEachStore(signal, async (storeId) => {
    while (await inStore(storeId, purge)) signal.throwIfAborted()
    while (await inStore(storeId, purgeDeletedWebhooks)) signal.throwIfAborted()
  })
})
