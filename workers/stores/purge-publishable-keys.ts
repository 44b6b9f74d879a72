import { inStore } from '#shared/platform/db/store-scope.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { purgePublishableKeys as job } from '#shared/stores/jobs.ts'
import { purgeEndedPublishableKeys } from '#shared/stores/publishable-keys/purge-ended-publishable-keys.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes the publishable keys of every store that ended 30 days ago. */
export const purgePublishableKeys = handle(job, (_payload, { signal }) =>
  forEachStore(signal, (storeId) => inStore(storeId, purgeEndedPublishableKeys)),
)
