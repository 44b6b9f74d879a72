import { UnreadableFile } from '#shared/imports/file/errors.ts'
import { type Batch, type RowFormat, readBatches } from '#shared/imports/file/read-batches.ts'
import type { CsvRecord, FilePosition } from '#shared/imports/file/read-records.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import type { ImportJobDefinition } from '#shared/imports/jobs.ts'
import { completeImport, failImport, pauseImport, startImport } from '#shared/imports/transition-import.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { limitStoredBytes } from '#shared/platform/throttle/stored-bytes.ts'
import { inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { handle, type JobRun } from '#workers/platform/handle.ts'

/** The rest of a file, and how its rows are imported. */
interface OpenImport<Row> extends RowFormat<Row> {
  start: FilePosition
  records: AsyncIterable<CsvRecord>
  /** Imports a batch. Returns false, without a change, when another worker has imported it. */
  importBatch(tx: StoreTx, batch: Batch<Row>): Promise<boolean>
}

type Open<Row> = (job: ImportJob, store: Store) => OpenImport<Row>

const SLICE_MS = 15 * SECOND_MS

const INTERNAL_FAILURE =
  'The import stopped because of an internal error. What is imported stays. Import the file again for the rest.'

/** Imports a file in batches, from the progress of earlier runs on. */
export const handleImport = <Row>(definition: ImportJobDefinition, open: Open<Row>) =>
  handle(definition, async ({ storeId, jobId }, run) => {
    const started = await inStore(storeId, (tx) => startImport(tx, jobId))
    if (!started) return
    try {
      const isDone = await importSlice(definition, started, open, run)
      if (isDone) await inStore(storeId, (tx) => completeImport(tx, jobId))
    } catch (error) {
      const until = limitedUntil(error)
      if (until) return await inStore(storeId, (tx) => continueLater(tx, definition, { jobId, until }))
      const failure = error instanceof UnreadableFile ? error.message : INTERNAL_FAILURE
      const isFinal = error instanceof UnreadableFile || run.retry >= definition.rules.retries
      if (isFinal) await inStore(storeId, (tx) => failImport(tx, jobId, failure))
      if (!(error instanceof UnreadableFile)) throw error
    }
  })

/** When a batch may be stored that was refused by the limit of stored bytes. */
const limitedUntil = (error: unknown): Date | null =>
  error instanceof CodedError && error.code === CommonErrors.rateLimited.kind.code
    ? inMs(Number(error.details.retryAfter) * SECOND_MS)
    : null

async function continueLater(
  tx: StoreTx,
  definition: ImportJobDefinition,
  { jobId, until }: { jobId: string; until: Date },
): Promise<void> {
  await pauseImport(tx, jobId, until)
  await enqueue(tx, definition, { jobId }, { startAfter: until })
}

/** Returns whether the end of the file is reached. Otherwise another job continues. */
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
