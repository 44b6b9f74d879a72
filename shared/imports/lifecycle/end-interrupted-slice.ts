import { UnreadableFile } from '#shared/imports/file/errors.ts'
import { ImportMustWait } from '#shared/imports/import-must-wait.ts'
import type { ImportJobDefinition } from '#shared/imports/jobs.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import { endImport } from './end-import.ts'
import { enqueueSlice } from './enqueue-slice.ts'
import { pauseImport, postponeImport } from './pause-import.ts'

const INTERNAL_FAILURE =
  'The import stopped because of an internal error. The imported rows are kept. Upload the file again to import the ' +
  'rest.'

/**
 * Whether an error is expected: the file is unreadable, the batch must wait, or the limit of stored bytes refused it.
 * Any other error is internal, and the job is repeated.
 */
export const isExpectedInterruption = (error: unknown): boolean =>
  error instanceof UnreadableFile || resumesAt(error) !== null

/**
 * Ends a slice of an import after an expected error, or after an internal one of the last attempt. If its batch must
 * wait, or the limit of stored bytes refused it, the import continues later. Any other error fails the import.
 */
export async function endInterruptedSlice(
  tx: StoreTx,
  definition: ImportJobDefinition,
  jobId: string,
  error: unknown,
): Promise<void> {
  const startAfter = resumesAt(error)
  if (!startAfter) {
    const failure = error instanceof UnreadableFile ? error.message : INTERNAL_FAILURE
    return endImport(tx, jobId, { status: 'failed', failure })
  }
  // The wait for mails is short and needs no note.
  await (error instanceof ImportMustWait ? postponeImport(tx, jobId) : pauseImport(tx, jobId, startAfter))
  await enqueueSlice(tx, definition, jobId, { startAfter })
}

/** Returns the time at which the import continues, if its batch must wait or exceeds the stored bytes; else null. */
function resumesAt(error: unknown): Date | null {
  if (error instanceof ImportMustWait) return inMs(error.waitMs)
  if (!(error instanceof CodedError) || error.code !== CommonErrors.rateLimitExceeded.kind.code) return null
  const { retryAfter } = error.details
  return retryAfter === undefined ? null : inMs(retryAfter * SECOND_MS)
}
