import { UnreadableFile } from '#shared/imports/file/errors.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { ImportJob } from './import-job.ts'
import { ImportMustWait } from './import-must-wait.ts'
import { enqueueSlice, failImport, pauseImport, postponeImport } from './import-transitions.ts'
import type { ImportJobDefinition } from './jobs.ts'

const INTERNAL_FAILURE =
  'The import stopped because of an internal error. The imported rows are kept. Upload the file again to import the ' +
  'rest.'

/**
 * Ends a slice of an import after an error. An unreadable file fails the import immediately, any other error after the
 * last attempt. An internal error is thrown again, so that the job is repeated. If the limit of stored bytes refused a
 * batch, or the batch must wait, the import continues later.
 */
export async function endInterruptedSlice(
  definition: ImportJobDefinition,
  { storeId, id: jobId }: ImportJob,
  { error, isLast }: { error: unknown; isLast: boolean },
): Promise<void> {
  const startAfter = resumesAt(error)
  if (startAfter)
    return await inStore(storeId, async (tx) => {
      // The wait for mails is short and needs no note.
      await (error instanceof ImportMustWait ? postponeImport(tx, jobId) : pauseImport(tx, jobId, startAfter))
      await enqueueSlice(tx, definition, jobId, { startAfter })
    })
  if (error instanceof UnreadableFile)
    return await inStore(storeId, (tx) => failImport(tx, jobId, error.message))
  if (isLast) await inStore(storeId, (tx) => failImport(tx, jobId, INTERNAL_FAILURE))
  throw error
}

/** Returns the time at which the import continues, if its batch must wait or exceeds the stored bytes; else null. */
function resumesAt(error: unknown): Date | null {
  if (error instanceof ImportMustWait) return inMs(error.waitMs)
  if (!(error instanceof CodedError) || error.code !== CommonErrors.rateLimitExceeded.kind.code) return null
  const { retryAfter } = error.details
  return retryAfter === undefined ? null : inMs(retryAfter * SECOND_MS)
}
