import type { CsvRecord, FilePosition } from '#shared/imports/file/csv-record.ts'
import { type Batch, type RowFormat, readBatches } from '#shared/imports/file/read-batches.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import type { ImportJobDefinition } from '#shared/imports/jobs.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { limitStoredBytes } from '#shared/platform/throttle/limit-stored-bytes.ts'
import { now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { isPurging } from '#shared/stores/store.ts'
import { enqueueSlice } from './enqueue-slice.ts'

/** The unread part of a file, with the functions that import its rows. */
export interface OpenImport<Row> extends RowFormat<Row> {
  start: FilePosition
  records: AsyncIterable<CsvRecord>
  /** Imports a batch. Returns false without a change if another worker has already imported it. */
  importBatch(tx: StoreTx, batch: Batch<Row>): Promise<boolean>
}

const SLICE_MS = 15 * SECOND_MS
/** A job of this age imports one more batch. So this batch ends before the job expires. */
const MAX_AGE_MS = 30 * SECOND_MS

/**
 * Imports a slice of a file, each batch in a transaction of its own. Returns whether it reached the end. Otherwise
 * another job continues. Throws when `signal` aborts.
 */
export async function importSlice<Row>(
  definition: ImportJobDefinition,
  { storeId, id }: Pick<ImportJob, 'storeId' | 'id'>,
  file: OpenImport<Row>,
  signal: AbortSignal,
): Promise<boolean> {
  const startedAt = now().getTime()
  let sliceEndsAt: number | undefined

  for await (const batch of readBatches(file.records, file.start, file)) {
    signal.throwIfAborted()
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
