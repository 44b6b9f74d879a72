import type { CsvRecord, FilePosition } from '#shared/imports/file/csv-record.ts'
import { type Batch, type RowFormat, readBatches } from '#shared/imports/file/read-batches.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import type { ImportJobDefinition } from '#shared/imports/jobs.ts'
import { endImport } from '#shared/imports/lifecycle/end-import.ts'
import {
  endInterruptedSlice,
  isExpectedInterruption,
} from '#shared/imports/lifecycle/end-interrupted-slice.ts'
import { enqueueSlice } from '#shared/imports/lifecycle/enqueue-slice.ts'
import { startImport } from '#shared/imports/lifecycle/start-import.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { limitStoredBytes } from '#shared/platform/throttle/limit-stored-bytes.ts'
import { now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { isPurging, type Store } from '#shared/stores/store.ts'
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
/** A job of this age imports one more batch. So this batch ends before the job expires. */
const MAX_AGE_MS = 30 * SECOND_MS

/** Defines a job that imports a file in batches, and continues after the progress of earlier runs. */
export const handleImport = <Row>(definition: ImportJobDefinition, open: Open<Row>) =>
  handle(definition, async ({ storeId, jobId, slice }, run) => {
    const started = await inStore(storeId, (tx) => startImport(tx, jobId, slice))
    if (!started) return
    try {
      const isDone = await importSlice(definition, started, open, run)
      if (isDone) await inStore(storeId, (tx) => endImport(tx, jobId, { status: 'succeeded' }))
    } catch (error) {
      const isExpected = isExpectedInterruption(error)
      if (isExpected || run.retry >= definition.rules.retries)
        await inStore(storeId, (tx) => endInterruptedSlice(tx, definition, jobId, error))
      if (!isExpected) throw error
    }
  })

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
  const startedAt = now().getTime()
  let sliceEndsAt: number | undefined

  for await (const batch of readBatches(file.records, file.start, file)) {
    run.signal.throwIfAborted()
    // The time of a slice begins with its first batch, because each slice may need 15 s to find its rows in a large
    // file.
    const at = performance.now()
    sliceEndsAt ??= at + SLICE_MS
    const isOver = at > sliceEndsAt || now().getTime() - startedAt > MAX_AGE_MS
    const isLast = isOver && hasMoved(batch)
    const done = await inStore(storeId, async (tx) => {
      if (await isPurging(tx)) return false
      const imported = await file.importBatch(tx, batch)
      if (imported && isLast) await enqueueSlice(tx, definition, id)
      limitStoredBytes(tx, 'staff')
      return imported
    })
    if (!done || isLast) return false
  }
  return true
}

/** Whether a batch ends after the position where it starts. Otherwise the next slice would repeat the batch. */
const hasMoved = ({ start, end }: Batch<unknown>): boolean => end.byte > start.byte
