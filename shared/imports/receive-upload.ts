import { ImportFileErrors } from '#shared/imports/file/errors.ts'
import { FileDecoder } from '#shared/imports/file/file-decoder.ts'
import type { FileHeader } from '#shared/imports/file/header.ts'
import { inspectStart } from '#shared/imports/file/inspect-start.ts'
import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { deleteWaitingJobsById } from '#shared/platform/jobs/waiting-jobs.ts'
import { log } from '#shared/platform/log.ts'
import { consumeStoredBytes } from '#shared/platform/throttle/limit-stored-bytes.ts'
import { HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { ImportErrors } from './errors.ts'
import {
  ImportJob,
  type ImportOptions,
  MAX_IGNORED_COLUMNS,
  MAX_IGNORED_LENGTH,
  MAX_UNFINISHED_IMPORTS,
} from './import-job.ts'
import { discardUnfinishedUpload } from './jobs.ts'
import { UNFINISHED_STATUSES } from './states.ts'
import { CHUNK_BYTES, writeChunk } from './upload-chunks.ts'

interface Upload extends Pick<ImportJob, 'kind' | 'dryRun'> {
  settings: ImportOptions
  /** The id of the staff member. */
  createdBy: string
}

/** A completely received file. */
export interface ReceivedUpload {
  jobId: string
  /** The job that discards the upload. */
  discardId: string
  file: ReceivedFile
}

type ReceivedFile = Pick<
  ImportJob,
  | 'bytesTotal'
  | 'encoding'
  | 'delimiter'
  | 'columns'
  | 'format'
  | 'ignoredColumns'
  | 'bytesDone'
  | 'linesDone'
>

/** Reads the first row of a file. Throws an error if the format is unknown. */
type ReadHeader = (cells: string[]) => Pick<FileHeader, 'format' | 'ignored'>

/**
 * Saves an uploaded file in chunks. Each chunk has its own short transaction, so that a slow client keeps none open.
 * Call `queueImport` within an hour; after that, a job discards the upload. After an error this function discards it.
 * Throws `import.limit_reached`, `import.empty`, `import.not_csv`, `import.not_utf8`,
 * `import.too_many_columns`, 429 past LIMIT_STORED_MB, and the errors of `bytes` and `readHeader`.
 */
export async function receiveUpload(
  storeId: string,
  upload: Upload,
  bytes: AsyncIterable<Buffer>,
  readHeader: ReadHeader,
): Promise<ReceivedUpload> {
  const { id, discardId } = await inStore(storeId, (tx) => createJob(tx, upload))
  try {
    return { jobId: id, discardId, file: await storeFile(storeId, id, bytes, readHeader) }
  } catch (error) {
    await inStore(storeId, (tx) => discardRefused(tx, id, discardId)).catch((cause) =>
      log.warn({ err: cause, importJob: id }, 'upload not deleted; a job deletes it later'),
    )
    throw error
  }
}

/** Returns the id of a new import, and of the job that discards it unless it is complete in an hour. */
async function createJob(tx: StoreTx, upload: Upload): Promise<{ id: string; discardId: string }> {
  const unfinished = ImportJob.in(tx).whereIn('status', [...UNFINISHED_STATUSES])
  await assertBelowLimit(tx, unfinished, MAX_UNFINISHED_IMPORTS, ImportErrors.limitReached)
  const { id } = await ImportJob.in(tx).insert({
    ...upload,
    status: 'uploading',
    createdAt: now(),
  })
  const discardId = await enqueue(tx, discardUnfinishedUpload, { jobId: id }, { startAfter: inMs(HOUR_MS) })
  return { id, discardId }
}

async function storeFile(
  storeId: string,
  jobId: string,
  bytes: AsyncIterable<Buffer>,
  readHeader: ReadHeader,
): Promise<ReceivedFile> {
  const decoder = new FileDecoder()
  let start: Omit<ReceivedFile, 'bytesTotal' | 'encoding'> | undefined
  let total = 0
  let position = 0
  for await (const chunk of toChunks(decoder.decode(bytes))) {
    start ??= await readStart(chunk, readHeader)
    // Count the bytes before the write. A limit that refuses the commit would refuse a chunk that is already written.
    await consumeStoredBytes(storeId, 'staff', chunk.length)
    await inStore(storeId, (tx) => writeChunk(tx, jobId, position, chunk))
    position += 1
    total += chunk.length
  }
  if (!start) throw ImportFileErrors.empty()
  return { ...start, bytesTotal: total, encoding: decoder.encoding }
}

// Above the number of columns in an Excel sheet. Some programs write all of them, even empty ones.
const MAX_COLUMNS = 20_000

async function readStart(chunk: Buffer, readHeader: ReadHeader) {
  const { delimiter, columns, end } = await inspectStart(chunk)
  if (columns.length > MAX_COLUMNS) throw ImportFileErrors.tooManyColumns({ most: MAX_COLUMNS })
  const { format, ignored } = readHeader(columns)
  const ignoredColumns = ignored
    .slice(0, MAX_IGNORED_COLUMNS)
    .map((name) => name.slice(0, MAX_IGNORED_LENGTH).toWellFormed())
  return { delimiter, columns, format, ignoredColumns, bytesDone: end.byte, linesDone: end.line }
}

async function* toChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let size = 0
  for await (const part of bytes) {
    parts.push(part)
    size += part.length
    if (size < CHUNK_BYTES) continue
    let whole = Buffer.concat(parts)
    for (; whole.length >= CHUNK_BYTES; whole = whole.subarray(CHUNK_BYTES))
      yield whole.subarray(0, CHUNK_BYTES)
    parts = [whole]
    size = whole.length
  }
  if (size > 0) yield Buffer.concat(parts)
}

/** Deletes a refused upload and its discarding job. An account can cause 36,000 refused uploads in an hour. */
async function discardRefused(tx: StoreTx, jobId: string, discardId: string): Promise<void> {
  await discardUpload(tx, jobId)
  await cancelDiscarding(tx, discardId)
}

/** Deletes the job that would discard an upload. */
export const cancelDiscarding = (tx: StoreTx, discardId: string) =>
  deleteWaitingJobsById(tx.knex, [discardUnfinishedUpload.queue], [discardId])

/** Deletes an unfinished upload. An import in another status stays. */
export async function discardUpload(tx: StoreTx, jobId: string): Promise<void> {
  await ImportJob.in(tx).where({ id: jobId, status: 'uploading' }).delete()
}
