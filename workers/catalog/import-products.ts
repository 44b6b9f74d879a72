import type { CatalogJob } from '#shared/catalog/import/catalog-job.ts'
import { UnreadableFile } from '#shared/catalog/import/errors.ts'
import { importBatch } from '#shared/catalog/import/import-batch.ts'
import { importProducts as job } from '#shared/catalog/import/jobs.ts'
import { openFile } from '#shared/catalog/import/open-file.ts'
import { readBatches } from '#shared/catalog/import/read-batches.ts'
import { completeImport, failImport, startImport } from '#shared/catalog/import/transition-job.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { handle, type JobRun } from '#workers/platform/handle.ts'

const SLICE_MS = 15 * SECOND_MS

const INTERNAL_FAILURE =
  'The import stopped because of an internal error. Imported products stay. Import the file again for the rest.'

/** Imports a product file in batches, from the progress of earlier runs on. */
export const importProducts = handle(job, async ({ storeId, jobId }, run) => {
  const started = await inStore(storeId, (tx) => startImport(tx, jobId))
  if (!started) return
  try {
    if (await importSlice(started, run)) await inStore(storeId, (tx) => completeImport(tx, jobId))
  } catch (error) {
    const failure = error instanceof UnreadableFile ? error.message : INTERNAL_FAILURE
    const isFinal = error instanceof UnreadableFile || run.retry >= job.rules.retries
    if (isFinal) await inStore(storeId, (tx) => failImport(tx, jobId, failure))
    if (!(error instanceof UnreadableFile)) throw error
  }
})

/** Returns whether the end of the file is reached. Otherwise another job continues. */
async function importSlice(started: CatalogJob, run: JobRun): Promise<boolean> {
  const { storeId, id } = started
  const visit = await findStoreById(storeId)
  if (!visit) throw new Error('The store of the import does not exist')
  const { start, records, settings } = openFile(started, visit.store)
  const sliceEndsAt = performance.now() + SLICE_MS

  for await (const batch of readBatches(records, start, settings)) {
    run.signal.throwIfAborted()
    const isLast = performance.now() > sliceEndsAt
    const done = await inStore(storeId, async (tx) => {
      const imported = await importBatch(tx, id, batch, settings)
      if (imported && isLast) await enqueue(tx, job, { jobId: id })
      return imported
    })
    if (!done || isLast) return false
  }
  return true
}
