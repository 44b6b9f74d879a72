import { allKeysOf } from '#shared/images/files.ts'
import { removeImageFiles as job } from '#shared/images/jobs.ts'
import { listNames } from '#shared/images/list-images.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { pendingPayloads } from '#shared/platform/jobs/job-table.ts'
import { openImageStorage } from '#workers/gateways/images/open-image-storage.ts'
import { handle } from '#workers/platform/handle.ts'

/** Removes the files of a deleted image. */
export const removeImageFiles = handle(job, ({ name }, { signal }) =>
  openImageStorage().remove(allKeysOf(name), signal),
)

/** Removes the files of all images of a store, and those of deleted images whose job has not run. */
export async function removeFilesOfStore(storeId: string, signal: AbortSignal): Promise<void> {
  const deleted = (await pendingPayloads(job, storeId)).map(({ name }) => name)
  await openImageStorage().remove(deleted.flatMap(allKeysOf), signal)
  for (let after = ''; ; ) {
    const names = await inStore(storeId, (tx) => listNames(tx, after))
    const last = names.at(-1)
    if (!last) return
    await openImageStorage().remove(names.flatMap(allKeysOf), signal)
    after = last
  }
}
