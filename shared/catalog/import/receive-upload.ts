import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { log } from '#shared/platform/log.ts'
import { HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { CatalogJob } from './catalog-job.ts'
import { ImportErrors } from './errors.ts'
import { discardUnfinishedUpload, importProducts } from './jobs.ts'
import { CHUNK_BYTES, writeChunk } from './upload-chunks.ts'

interface Upload {
  dryRun: boolean
  /** The id of the staff member. */
  createdBy: string
}

/** A completely received file. */
export interface ReceivedUpload {
  jobId: string
  bytesTotal: number
}

/**
 * Saves an uploaded file in chunks, each in its own short transaction, so that a slow client holds none open. `queueImport`
 * must follow within an hour. Throws `import.empty`, `import.not_utf8` and the errors of `bytes`; the file is then deleted.
 * After a crash a job deletes it an hour later.
 */
export async function receiveUpload(
  storeId: string,
  upload: Upload,
  bytes: AsyncIterable<Buffer>,
): Promise<ReceivedUpload> {
  const { id } = await inStore(storeId, (tx) => createJob(tx, upload))
  try {
    return { jobId: id, bytesTotal: await storeChunks(storeId, id, bytes) }
  } catch (error) {
    await inStore(storeId, (tx) => discardUpload(tx, id)).catch((cause) =>
      log.warn({ err: cause, catalogJob: id }, 'upload not deleted; a job deletes it later'),
    )
    throw error
  }
}

async function createJob(tx: StoreTx, { dryRun, createdBy }: Upload): Promise<CatalogJob> {
  const job = await CatalogJob.in(tx).insert({
    kind: 'import',
    status: 'uploading',
    dryRun,
    createdBy,
    createdAt: now(),
  })
  await enqueue(tx, discardUnfinishedUpload, { jobId: job.id }, { startAfter: inMs(HOUR_MS) })
  return job
}

async function storeChunks(storeId: string, jobId: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  let total = 0
  let position = 0
  for await (const chunk of toChunks(assertUtf8(bytes))) {
    await inStore(storeId, (tx) => writeChunk(tx, jobId, position, chunk))
    position += 1
    total += chunk.length
  }
  if (total === 0) throw ImportErrors.empty()
  return total
}

/** Yields the bytes unchanged. Throws `import.not_utf8`. */
async function* assertUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const check = (part?: Buffer) => {
    try {
      decoder.decode(part, { stream: part !== undefined })
    } catch {
      throw ImportErrors.notUtf8()
    }
  }
  for await (const part of bytes) {
    check(part)
    yield part
  }
  check()
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

/** Deletes an unfinished upload. A job in another status is not changed. */
export async function discardUpload(tx: StoreTx, jobId: string): Promise<void> {
  await CatalogJob.in(tx).where({ id: jobId, status: 'uploading' }).delete()
}

/** Queues the import of a received file. */
export async function queueImport(tx: StoreTx, { jobId, bytesTotal }: ReceivedUpload): Promise<CatalogJob> {
  const job = await CatalogJob.in(tx)
    .where({ id: jobId, status: 'uploading' })
    .patch({ status: 'queued', bytesTotal })
    .returning('*')
    .first()
  // An upload that takes more than an hour is discarded as abandoned.
  if (!job) throw new Error('The upload was discarded while it ran')
  await enqueue(tx, importProducts, { jobId })
  return job
}
