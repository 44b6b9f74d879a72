import { ImportJob } from '#shared/imports/import-job.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { endImport } from './end-import.ts'
import { transitionImport } from './transition-import.ts'

/** If so many workers have died at the same part of a file, by memory or time, the next one would die too. */
const MAX_ATTEMPTS = 2

/**
 * Starts a queued import, or continues a running one. Returns null if the import or the job's slice has ended. Fails an
 * import that two workers have started without progress, and returns null.
 */
export async function startImport(tx: StoreTx, jobId: string, slice: number): Promise<ImportJob | null> {
  await transitionImport(tx, jobId, 'running', { startedAt: now() })
  const job = await countAttempt(tx, jobId, slice)
  if (!job || job.attempts <= MAX_ATTEMPTS) return job
  await endImport(tx, jobId, { status: 'failed', failure: noProgress(job) })
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
