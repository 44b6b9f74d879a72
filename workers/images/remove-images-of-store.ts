import { allKeysOf, keysOf } from '#shared/images/files.ts'
import { removeImageFiles } from '#shared/images/jobs.ts'
import { findImagesToPurge, purgeImages } from '#shared/images/purge-images.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { pendingJobs } from '#shared/platform/jobs/pending-jobs.ts'
import { deleteWaitingJobsById } from '#shared/platform/jobs/waiting-jobs.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'
import { openImageStorage } from '#workers/gateways/images/open-image-storage.ts'

/**
 * Removes all images of a store with their files, and the files of deleted images whose job has not run. It works in
 * batches, so that a repeat continues where a run was stopped.
 */
export async function removeImagesOfStore(storeId: string, signal: AbortSignal): Promise<void> {
  await removeDeletedImages(storeId, signal)
  for (;;) {
    const images = await inStore(storeId, findImagesToPurge)
    if (images.length === 0) return
    await openImageStorage().remove(images.flatMap(keysOf), signal)
    await inStore(storeId, (tx) => purgeImages(tx, images))
    signal.throwIfAborted()
  }
}

const BATCH_SIZE = 500

async function removeDeletedImages(storeId: string, signal: AbortSignal): Promise<void> {
  for (const jobs of slicesOf(await pendingJobs(removeImageFiles, storeId), BATCH_SIZE)) {
    const keys = jobs.flatMap(({ payload }) => allKeysOf(payload.name))
    await openImageStorage().remove(keys, signal)
    const ids = jobs.map(({ id }) => id)
    await inStore(storeId, (tx) => deleteWaitingJobsById(tx.knex, [removeImageFiles.queue], ids))
    signal.throwIfAborted()
  }
}
