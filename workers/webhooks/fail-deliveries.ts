import { inStore } from '#shared/platform/db/store-scope.ts'
import { failDeliveries as fail } from '#shared/webhooks/deliveries/fail-deliveries.ts'
import { failDeliveries as job } from '#shared/webhooks/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Fails the pending deliveries of a deleted webhook, in batches, each in one transaction. */
export const failDeliveries = handle(job, async ({ storeId, webhookId }, { signal }) => {
  while (await inStore(storeId, (tx) => fail(tx, webhookId))) signal.throwIfAborted()
})
