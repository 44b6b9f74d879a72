import { inStore } from '#shared/platform/db/store-scope.ts'
import {
  purgeIdempotencyKeys as job,
  purgeKeys,
} from '#shared/platform/idempotency/purge-idempotency-keys.ts'
import { recoverErasures } from '#shared/platform/idempotency/recover-erasures.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes the idempotency keys of all stores after 24 hours, and recovers the erasures whose job was lost. */
export const purgeIdempotencyKeys = handle(job, async (_payload, { signal }) => {
  await forEachStore(signal, async (storeId) => {
    while (await inStore(storeId, purgeKeys)) signal.throwIfAborted()
    await recoverErasures(storeId)
  })
})
