import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { CatalogJob } from './catalog-job.ts'
import { importProducts } from './jobs.ts'
import type { ReceivedUpload } from './receive-upload.ts'

/** Queues the import of a file that is all there. */
export async function queueImport(tx: StoreTx, { jobId, bytesTotal }: ReceivedUpload): Promise<CatalogJob> {
  const job = await CatalogJob.in(tx)
    .where({ id: jobId, status: 'uploading' })
    .patch({ status: 'queued', bytesTotal })
    .returning('*')
    .first()
  // Taken for abandoned: it was an hour under way.
  if (!job) throw new Error('The upload was discarded while it ran')
  await enqueue(tx, importProducts, { jobId })
  return job
}
