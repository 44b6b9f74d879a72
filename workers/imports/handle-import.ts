import { UnreadableFile } from '#shared/imports/file/errors.ts'
import { type Batch, type RowFormat, readBatches } from '#shared/imports/file/read-batches.ts'
import type { CsvRecord, FilePosition } from '#shared/imports/file/read-records.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import { ImportMustWait } from '#shared/imports/import-must-wait.ts'
import type { ImportJobDefinition } from '#shared/imports/jobs.ts'
import {
  completeImport,
  failImport,
  pauseImport,
  postponeImport,
  startImport,
} from '#shared/imports/transition-import.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { limitStoredBytes } from '#shared/platform/throttle/stored-bytes.ts'
import { inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { handle, type JobRun } from '#workers/platform/handle.ts'

/** The unread part of a file, with the functions that import its rows. */
interface OpenImport<Row> extends RowFormat<Row> {
  start: FilePosition
  records: AsyncIterable<CsvRecord>
  /** Imports a batch. Returns false without a change if another worker has already imported it. */
  importBatch(tx: StoreTx, batch: Batch<Row>): Promise<boolean>
}

type Open<Row> = (job: ImportJob, store: Store) => OpenImport<Row>

const SLICE_MS = 15 * SECOND_MS

const INTERNAL_FAILURE =
  'The import stopped because of an internal error. The imported rows are kept. Upload the file again to import the rest.'

/** Defines a job that imports a file in batches, and continues after the progress of earlier runs. */
export const handleImport = <Row>(definition: ImportJobDefinition, open: Open<Row>) =>
  handle(definition, async ({ storeId, jobId }, run) => {
    const started = await inStore(storeId, (tx) => startImport(tx, jobId))
    if (!started) return
    try {
      const isDone = await importSlice(definition, started, open, run)
      if (isDone) await inStore(storeId, (tx) => completeImport(tx, jobId))
    } catch (error) {
      await endInterruptedSlice(definition, started, { error, isLast: run.retry >= definition.rules.retries })
    }
  })

/**
 * Ends a slice of an import after an error. An unreadable file fails the import immediately, any other error after the
 * last attempt. An internal error is thrown again, so that the job is repeated. If the limit of stored bytes refused a
 * batch, or the batch must wait, the import continues later.
 */
async function endInterruptedSlice(
  definition: ImportJobDefinition,
  { storeId, id: jobId }: ImportJob,
  { error, isLast }: { error: unknown; isLast: boolean },
): Promise<void> {
  const startAfter = resumesAt(error)
  if (startAfter)
    return await inStore(storeId, async (tx) => {
      // The wait for mails is short and needs no note.
      await (error instanceof ImportMustWait ? postponeImport(tx, jobId) : pauseImport(tx, jobId, startAfter))
      await enqueue(tx, definition, { jobId }, { startAfter })
    })
  if (error instanceof UnreadableFile)
    return await inStore(storeId, (tx) => failImport(tx, jobId, error.message))
  if (isLast) await inStore(storeId, (tx) => failImport(tx, jobId, INTERNAL_FAILURE))
  throw error
}

/** Returns the time at which the import continues, if its batch must wait or exceeds the stored bytes; else null. */
function resumesAt(error: unknown): Date | null {
  if (error instanceof ImportMustWait) return inMs(error.waitMs)
  if (!(error instanceof CodedError) || error.code !== CommonErrors.rateLimited.kind.code) return null
  const { retryAfter } = error.details
  return retryAfter === undefined ? null : inMs(retryAfter * SECOND_MS)
}

/** Imports a slice of the file. Returns whether it reached the end. Otherwise another job continues. */
async function importSlice<Row>(
  definition: ImportJobDefinition,
  started: ImportJob,
  open: Open<Row>,
  run: JobRun,
): Promise<boolean> {
  const { storeId, id } = started
  const tenant = await findStoreById(storeId)
  if (!tenant) throw new Error('The store of the import does not exist')
  const file = open(started, tenant.store)
  const sliceEndsAt = performance.now() + SLICE_MS

  for await (const batch of readBatches(file.records, file.start, file)) {
    run.signal.throwIfAborted()
    const isLast = performance.now() > sliceEndsAt
    const done = await inStore(storeId, async (tx) => {
      const imported = await file.importBatch(tx, batch)
      if (imported && isLast) await enqueue(tx, definition, { jobId: id })
      limitStoredBytes(tx, 'staff')
      return imported
    })
    if (!done || isLast) return false
  }
  return true
}
