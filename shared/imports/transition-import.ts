import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { IMPORT_TRANSITIONS, ImportJob, type ImportStatus } from './import-job.ts'
import { deleteUpload } from './upload-chunks.ts'

/** Starts a queued job, or continues a running one; null when the job has ended. */
export async function startImport(tx: StoreTx, jobId: string): Promise<ImportJob | null> {
  const started = await transition(tx, jobId, 'running', { startedAt: now() })
  const job = started ?? (await ImportJob.in(tx).where('id', jobId).first())
  return job?.status === 'running' ? job : null
}

/** Ends a job whose file is imported, and deletes the file. */
export const completeImport = (tx: StoreTx, jobId: string) => end(tx, jobId, 'succeeded', null)

/** Ends a job that cannot continue, and deletes the file. What is imported stays. */
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

/** Sets the status if the transition is allowed; returns null otherwise. */
async function transition(
  tx: StoreTx,
  jobId: string,
  status: ImportStatus,
  columns: Partial<ImportJob>,
): Promise<ImportJob | null> {
  const from = Object.entries(IMPORT_TRANSITIONS).filter(([, next]) => next.includes(status))
  const changed = await ImportJob.in(tx)
    .where('id', jobId)
    .whereIn(
      'status',
      from.map(([state]) => state),
    )
    .patch({ status, ...columns })
    .returning('*')
    .first()
  return changed ?? null
}
