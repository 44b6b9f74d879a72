import { rowWarning } from '#shared/imports/file/row-note.ts'
import { ImportJob } from '#shared/imports/import-job.ts'
import { recordNotes } from '#shared/imports/record-import-progress.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'

/** Marks a running import that continues later. Its next start does not count as an attempt. */
export const postponeImport = (tx: StoreTx, jobId: string) =>
  ImportJob.in(tx).where({ id: jobId, status: 'running' }).patch({ attemptedByte: null })

/**
 * Adds a note that a running import continues at a later time, because its store has stored too much within an hour.
 * Its next start does not count as an attempt.
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
