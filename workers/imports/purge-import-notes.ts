import { purgeImportNotes as job } from '#shared/imports/jobs.ts'
import { purgeOldImportNotes } from '#shared/imports/purge-old-import-notes.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes the notes of old imports of every store. */
export const purgeImportNotes = handle(job, async (_payload, { signal }) => {
  await forEachStore(signal, async (storeId) => {
    while (await inStore(storeId, purgeOldImportNotes)) signal.throwIfAborted()
  })
})
