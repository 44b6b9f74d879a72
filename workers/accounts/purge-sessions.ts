import { purgeSessions as job } from '#shared/accounts/jobs.ts'
import { purgeEnded, purgeLinks, purgeSecurityEvents } from '#shared/accounts/purge-sessions.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { walkStores } from '#shared/stores/walk-stores.ts'
import { purgeEndedOnPlatform } from '#shared/super-admin/purge-sessions.ts'
import { handle } from '../platform/handle.ts'

/** Deletes the sessions that ended long ago, the platform's own and every store's, what befell accounts then, and expired links. */
export const purgeSessions = handle(job, async (_payload, { signal }) => {
  await purgeEndedOnPlatform()
  for await (const storeId of walkStores())
    for (const purge of [purgeEnded, purgeSecurityEvents, purgeLinks])
      while (await inStore(storeId, purge)) signal.throwIfAborted()
})
