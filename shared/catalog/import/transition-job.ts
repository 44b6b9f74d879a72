import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { CatalogJob } from './catalog-job.ts'
import { CATALOG_JOB_STATES, type CatalogJobStatus } from './states.ts'
import { deleteUpload } from './upload-chunks.ts'

/** Takes a queued job up, or again one that was left; null when there is nothing left to do of it. */
export async function startImport(tx: StoreTx, jobId: string): Promise<CatalogJob | null> {
  const begun = await transition(tx, jobId, 'running', { startedAt: now() })
  const job = begun ?? (await CatalogJob.in(tx).where('id', jobId).first())
  return job?.status === 'running' ? job : null
}

/** Ends a job whose file was read to its end. The file is not kept. */
export const completeImport = (tx: StoreTx, jobId: string) => end(tx, jobId, 'succeeded', null)

/** Ends a job that cannot go on. What it imported stays; the file is not kept. */
export const failImport = (tx: StoreTx, jobId: string, failure: string) => end(tx, jobId, 'failed', failure)

async function end(
  tx: StoreTx,
  jobId: string,
  status: 'succeeded' | 'failed',
  failure: string | null,
): Promise<void> {
  const ended = await transition(tx, jobId, status, { failure, finishedAt: now() })
  if (ended) await deleteUpload(tx, jobId)
}

/** Moves a job on, if it is where that state may follow; else null. */
async function transition(
  tx: StoreTx,
  jobId: string,
  status: CatalogJobStatus,
  also: Partial<CatalogJob>,
): Promise<CatalogJob | null> {
  const from = Object.entries(CATALOG_JOB_STATES).filter(([, next]) => next.includes(status))
  const moved = await CatalogJob.in(tx)
    .where('id', jobId)
    .whereIn(
      'status',
      from.map(([state]) => state),
    )
    .patch({ status, ...also })
    .returning('*')
    .first()
  return moved ?? null
}
