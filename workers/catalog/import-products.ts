import type { CatalogJob } from '#shared/catalog/import/catalog-job.ts'
import { UnreadableFile } from '#shared/catalog/import/errors.ts'
import { importBatch } from '#shared/catalog/import/import-batch.ts'
import { importProducts as job } from '#shared/catalog/import/jobs.ts'
import { readBatches } from '#shared/catalog/import/read-batches.ts'
import { completeImport, failImport, startImport } from '#shared/catalog/import/transition-job.ts'
import { readUpload } from '#shared/catalog/import/upload-chunks.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { handle, type JobRun } from '#workers/platform/handle.ts'

const SLICE_MS = 15 * SECOND_MS

const GIVEN_UP =
  'The import stopped because of a fault on our side. What it imported stays; import the file again for the rest.'

/** Imports a file of products piece by piece, from wherever an earlier run left off. */
export const importProducts = handle(job, async ({ storeId, jobId }, run) => {
  const taken = await inStore(storeId, (tx) => startImport(tx, jobId))
  if (!taken) return
  try {
    if (await importSlice(taken, run)) await inStore(storeId, (tx) => completeImport(tx, jobId))
  } catch (error) {
    const failure = error instanceof UnreadableFile ? error.message : GIVEN_UP
    const isFinal = error instanceof UnreadableFile || run.retry >= job.rules.retries
    if (isFinal) await inStore(storeId, (tx) => failImport(tx, jobId, failure))
    if (!(error instanceof UnreadableFile)) throw error
  }
})

/** Answers whether the file's end is reached; if not, another job goes on. */
async function importSlice({ storeId, id, ...from }: CatalogJob, run: JobRun): Promise<boolean> {
  const visit = await findStoreById(storeId)
  if (!visit) throw new Error('An import of a store that is not there')
  const { currency, defaultLanguage: language } = visit.store
  const position = { byte: from.bytesDone, line: from.linesDone, columns: from.columns }
  const handOverAt = performance.now() + SLICE_MS

  for await (const batch of readBatches(readUpload(storeId, id, from.bytesDone), position, currency)) {
    run.signal.throwIfAborted()
    const isLast = performance.now() > handOverAt
    const done = await inStore(storeId, async (tx) => {
      const imported = await importBatch(tx, id, batch, { currency, language })
      if (imported && isLast) await enqueue(tx, job, { jobId: id })
      return imported
    })
    if (!done || isLast) return false
  }
  return true
}
