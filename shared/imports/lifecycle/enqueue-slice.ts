import { ImportJob } from '#shared/imports/import-job.ts'
import type { ImportJobDefinition } from '#shared/imports/jobs.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'

/** Enqueues the job that imports the next slice. Earlier jobs of the import are then outdated. */
export async function enqueueSlice(
  tx: StoreTx,
  worker: ImportJobDefinition,
  jobId: string,
  options: { startAfter?: Date } = {},
): Promise<void> {
  const { slice } = await ImportJob.in(tx)
    .where('id', jobId)
    .increment('slice', 1)
    .returning('slice')
    .first()
    .throwIfNotFound()
  await enqueue(tx, worker, { jobId, slice }, options)
}
