import type { ImportJob } from '#shared/imports/import-job.ts'
import type { ImportJobDefinition } from '#shared/imports/jobs.ts'
import { cancelDiscarding, type ReceivedUpload } from '#shared/imports/receive-upload.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueSlice } from './enqueue-slice.ts'
import { transitionImport } from './transition-import.ts'

/**
 * Enqueues the job that imports a received file. The fields that stay after the import count among the stored bytes: a
 * header can have 256 KB.
 */
export async function queueImport(
  tx: StoreTx,
  { jobId, discardId, file }: ReceivedUpload,
  worker: ImportJobDefinition,
): Promise<ImportJob> {
  const job = await transitionImport(tx, jobId, 'queued', file)
  // A job has discarded the upload because it took more than an hour.
  if (!job) throw new Error('The upload was discarded while it ran')
  await cancelDiscarding(tx, discardId)
  tx.noteStored(Buffer.byteLength(JSON.stringify([job.settings, job.columns, job.ignoredColumns])))
  await enqueueSlice(tx, worker, jobId)
  return job
}
