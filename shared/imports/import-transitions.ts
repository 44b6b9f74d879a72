import { rowWarning } from '#shared/imports/file/row-note.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/schema.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { statesBefore } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { IMPORT_TRANSITIONS, ImportJob, type ImportStatus } from './import-job.ts'
import type { ImportJobDefinition } from './jobs.ts'
import type { ReceivedUpload } from './receive-upload.ts'
import { recordNotes } from './record-import-progress.ts'
import { deleteUpload } from './upload-chunks.ts'

/** A part of a file that has killed this many workers, by memory or time, would kill the next one too. */
const MAX_ATTEMPTS = 2

/**
 * Enqueues the job that imports a received file. What is kept after the import counts as stored: a header can have
 * 256 KB.
 */
export async function queueImport(
  tx: StoreTx,
  { jobId, file }: ReceivedUpload,
  worker: ImportJobDefinition,
): Promise<ImportJob> {
  const job = await transition(tx, jobId, 'queued', file)
  // A job has discarded the upload because it took more than an hour.
  if (!job) throw new Error('The upload was discarded while it ran')
  tx.noteStored(Buffer.byteLength(JSON.stringify([job.settings, job.columns, job.ignoredColumns])))
  await enqueueSlice(tx, worker, jobId)
  return job
}

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

/**
 * Starts a queued import, or continues a running one. Returns null if it has ended, or if the job's slice has. An
 * import that two workers have started without progress fails here.
 */
export async function startImport(tx: StoreTx, jobId: string, slice: number): Promise<ImportJob | null> {
  await transition(tx, jobId, 'running', { startedAt: now() })
  const job = await countAttempt(tx, jobId, slice)
  if (!job || job.attempts <= MAX_ATTEMPTS) return job
  await failImport(tx, jobId, noProgress(job))
  return null
}

const noProgress = ({ linesDone }: ImportJob): string =>
  `The import stopped twice without progress after line ${linesDone}. What is before it is imported. ` +
  'Import the rows after it again, in smaller files.'

/** Counts a start of a running import since its last progress. Returns null if it does not run at this slice. */
async function countAttempt(tx: StoreTx, jobId: string, slice: number): Promise<ImportJob | null> {
  const job = await ImportJob.in(tx)
    .where({ id: jobId, status: 'running', slice })
    .patch({
      attempts: tx.knex.raw('case when attempted_byte = bytes_done then attempts + 1 else 1 end'),
      attemptedByte: tx.knex.ref('bytes_done'),
    })
    .returning('*')
    .first()
  return job ?? null
}

/** Lets a running import continue later. This is not counted as a start. */
export const postponeImport = (tx: StoreTx, jobId: string) =>
  ImportJob.in(tx).where({ id: jobId, status: 'running' }).patch({ attemptedByte: null })

/**
 * Adds a note that a running import continues at a later time, because its store has stored too much within an hour.
 * This is not counted as a start.
 */
export async function pauseImport(tx: StoreTx, jobId: string, until: Date): Promise<void> {
  const job = await ImportJob.in(tx).where({ id: jobId, status: 'running' }).first().forNoKeyUpdate()
  if (!job) return
  const message =
    'The store has stored as much as it may within an hour. What is before this line is imported; the import ' +
    `continues automatically at ${toTimestamp(until)}.`
  await recordNotes(tx, job, [rowWarning(job.linesDone + 1, null, message)])
  await ImportJob.in(tx)
    .where('id', jobId)
    .patch({ attemptedByte: null, warningCount: job.warningCount + 1 })
}

/** Completes an import, and deletes the file. */
export const completeImport = (tx: StoreTx, jobId: string) => end(tx, jobId, 'succeeded', null)

/** Fails an import, and deletes the file. Imported records stay. */
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

/** Sets the status. Returns null if the transition is not allowed. */
async function transition(
  tx: StoreTx,
  jobId: string,
  status: ImportStatus,
  columns: Partial<ImportJob>,
): Promise<ImportJob | null> {
  const changed = await ImportJob.in(tx)
    .where('id', jobId)
    .whereIn('status', statesBefore(IMPORT_TRANSITIONS, status))
    .patch({ status, ...columns })
    .returning('*')
    .first()
  return changed ?? null
}
