import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RequestErrors } from '#api/platform/errors.ts'
import { streamBytes } from '#api/platform/input/stream-bytes.ts'
import { MAX_BYTES } from '#shared/images/limits.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { withStorePermit } from '#shared/platform/throttle/store-permit.ts'
import { readFirstFile } from './read-first-file.ts'

/** The most bytes of boundaries and headers in a multipart body, besides its file. */
const MULTIPART_BYTES = 64 * 1024

export const BODY_LIMIT = MAX_BYTES + MULTIPART_BYTES

// Two files at a time are in memory, each with up to 20 MB. Stores take turns.
const withPermit = semaphore({ permits: 2, maxWaiting: 32 })

/**
 * Receives the file of a request, raw or as the first file of a multipart form, and passes it to `use`. A temporary
 * file stores it until it is complete, so that slow clients hold no memory. Throws `request.too_large` and
 * `request.malformed`.
 */
export async function receiveFile<T>(
  storeId: string,
  { stream, headers }: { stream: IncomingMessage; headers: IncomingHttpHeaders },
  use: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const path = join(tmpdir(), `upload-${randomUUID()}`)
  try {
    const body = streamBytes(stream, BODY_LIMIT)
    const isForm = headers['content-type']?.toLowerCase().startsWith('multipart/form-data')
    await pipeline(isForm ? readFirstFile(body, headers) : Readable.from(body), createWriteStream(path))
    return await withStorePermit(withPermit, storeId, async () => use(await readWhole(path)))
  } finally {
    await rm(path, { force: true })
  }
}

async function readWhole(path: string): Promise<Buffer> {
  const bytes = await readFile(path)
  if (bytes.length > MAX_BYTES) throw RequestErrors.tooLarge({ limit: MAX_BYTES })
  return bytes
}
