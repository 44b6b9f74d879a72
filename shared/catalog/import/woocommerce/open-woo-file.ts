import type { CsvRecord, FilePosition } from '#shared/imports/file/csv-record.ts'
import { inspectStart } from '#shared/imports/file/inspect-start.ts'
import { readRecords } from '#shared/imports/file/read-records.ts'
import { CHUNK_BYTES, readChunk, readUpload } from '#shared/imports/upload-chunks.ts'
import { type ReadBytes, readWooRecords } from './read-woo-records.ts'
import type { WooColumns } from './woo-header.ts'
import { indexWooRows } from './woo-index.ts'

interface Upload {
  storeId: string
  jobId: string
  delimiter: string
  decimalComma: boolean
}

/**
 * Reads the rows of an uploaded WooCommerce file from a position on. It reads the file twice, first to find the
 * variations.
 */
export async function* openWooFile(
  upload: Upload,
  columns: WooColumns,
  from: FilePosition,
): AsyncGenerator<CsvRecord> {
  const { storeId, jobId, delimiter, decimalComma } = upload
  const readBytes = chunkCache(storeId, jobId)
  const { end: header } = await inspectStart(await readBytes(0, CHUNK_BYTES))
  const all = readRecords(readUpload(storeId, jobId, header.byte), header, delimiter)
  const index = await indexWooRows(all, header, columns)
  yield* readWooRecords({ index, columns, delimiter, decimalComma, readBytes }, header, from)
}

const MAX_CHUNKS = 16

/** Returns a function that reads parts of a file, and caches the last chunks. */
function chunkCache(storeId: string, jobId: string): ReadBytes {
  const chunks = new Map<number, Buffer>()
  const chunkAt = async (position: number): Promise<Buffer> => {
    const found = chunks.get(position) ?? (await readChunk(storeId, jobId, position)) ?? Buffer.alloc(0)
    chunks.delete(position)
    chunks.set(position, found)
    for (const oldest of chunks.keys()) if (chunks.size > MAX_CHUNKS) chunks.delete(oldest)
    return found
  }
  return async (from, length) => {
    const parts: Buffer[] = []
    for (let at = from; at < from + length; ) {
      const offset = at % CHUNK_BYTES
      const chunk = await chunkAt((at - offset) / CHUNK_BYTES)
      if (offset >= chunk.length) break
      const part = chunk.subarray(offset, offset + from + length - at)
      parts.push(part)
      at += part.length
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }
}
