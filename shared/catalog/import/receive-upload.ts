import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { log } from '#shared/platform/log.ts'
import { HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { CatalogJob } from './catalog-job.ts'
import { ImportErrors } from './errors.ts'
import { discardUnfinishedUpload } from './jobs.ts'
import { CHUNK_BYTES, writeChunk } from './upload-chunks.ts'

interface Upload {
  dryRun: boolean
  /** The staff member who sends it. */
  createdBy: string
}

/** A file that is all there. */
export interface ReceivedUpload {
  jobId: string
  bytesTotal: number
}

/**
 * Takes a file in, chunk by chunk, each in a short transaction of its own: a slow sender holds none open. Its import
 * is queued next, within the hour. Throws `import.empty`, `import.not_utf8` and whatever `bytes` throws; nothing of the
 * file is then kept, nor an hour after a process died with it.
 */
export async function receiveUpload(
  storeId: string,
  upload: Upload,
  bytes: AsyncIterable<Buffer>,
): Promise<ReceivedUpload> {
  const { id } = await inStore(storeId, (tx) => openUpload(tx, upload))
  try {
    return { jobId: id, bytesTotal: await storeChunks(storeId, id, bytes) }
  } catch (error) {
    await inStore(storeId, (tx) => discardUpload(tx, id)).catch((left) =>
      log.warn({ err: left, catalogJob: id }, 'upload left to be discarded later'),
    )
    throw error
  }
}

async function openUpload(tx: StoreTx, { dryRun, createdBy }: Upload): Promise<CatalogJob> {
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
  for await (const chunk of inChunks(asUtf8(bytes))) {
    await inStore(storeId, (tx) => writeChunk(tx, jobId, position, chunk))
    position += 1
    total += chunk.length
  }
  if (total === 0) throw ImportErrors.empty()
  return total
}

/** Passes the bytes on as they are, as long as they are UTF-8. */
async function* asUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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

async function* inChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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

/** Removes an upload that did not come to its end. Of a job that is past it, nothing. */
export async function discardUpload(tx: StoreTx, jobId: string): Promise<void> {
  await CatalogJob.in(tx).where({ id: jobId, status: 'uploading' }).delete()
}
