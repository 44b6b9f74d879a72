import { purgeAccountRecords as job } from '#shared/identity/jobs.ts'
import { purgeLinks, purgeSecurityEvents, purgeSessions } from '#shared/identity/retention.ts'
import { inScope, inStore } from '#shared/platform/db/store-scope.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes expired records of accounts: first those of super-admins, then store by store. */
export const purgeAccountRecords = handle(job, async (_payload, { signal }) => {
  while (await inScope(null, purgeSessions)) signal.throwIfAborted()
  await forEachStore(signal, async (storeId) => {
    for (const purge of [purgeSessions, purgeSecurityEvents, purgeLinks])
      while (await inStore(storeId, purge)) signal.throwIfAborted()
  })
})
