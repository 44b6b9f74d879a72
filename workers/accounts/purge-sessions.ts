import { purgeSessions as job } from '#shared/accounts/jobs.ts'
import { purgeEnded } from '#shared/accounts/purge-sessions.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { walkStores } from '#shared/stores/walk-stores.ts'
import { handle } from '../platform/handle.ts'

/** Deletes every store's sessions that ended long ago. */
export const purgeSessions = handle(job, async (_payload, { signal }) => {
  for await (const storeId of walkStores()) while (await inStore(storeId, purgeEnded)) signal.throwIfAborted()
})
