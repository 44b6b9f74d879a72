import type { FilePosition } from '#shared/imports/file/csv-record.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import type { ImportJob } from './import-job.ts'

/** The size of every chunk but the last one, so that the position of a byte gives its chunk. */
export const CHUNK_BYTES = 256 * 1024

/** Stores a chunk of the file. */
export async function writeChunk(tx: StoreTx, jobId: string, position: number, bytes: Buffer): Promise<void> {
  await tx.knex('import_chunks').insert({ store_id: tx.storeId, job_id: jobId, position, bytes })
}

/** Reads a chunk of the file in its own short transaction. */
export const readChunk = async (
  storeId: string,
  jobId: string,
  position: number,
): Promise<Buffer | undefined> => {
  const chunk = await inStore(storeId, (tx) =>
    tx
      .knex('import_chunks')
      .where({ store_id: storeId, job_id: jobId, position })
      .first<{ bytes: Buffer } | undefined>('bytes'),
  )
  return chunk?.bytes
}

/** Opens the file of a started import after its imported rows. */
export function openUpload({ storeId, id, columns, delimiter, bytesDone, linesDone }: ImportJob) {
  if (!columns || !delimiter) throw new Error('The header of the file was not read')
  const start: FilePosition = { byte: bytesDone, line: linesDone }
  return { start, columns, delimiter, bytes: readUpload(storeId, id, bytesDone) }
}

/** Reads the file from a byte on. Each chunk is read in its own short transaction. */
export async function* readUpload(storeId: string, jobId: string, fromByte: number): AsyncGenerator<Buffer> {
  let skip = fromByte % CHUNK_BYTES
  for (let position = (fromByte - skip) / CHUNK_BYTES; ; position++) {
    const chunk = await readChunk(storeId, jobId, position)
    if (!chunk) return
    yield chunk.subarray(skip)
    skip = 0
  }
}

/** Deletes the file and the list of its keys. */
export async function deleteUpload(tx: StoreTx, jobId: string): Promise<void> {
  for (const table of ['import_chunks', 'import_keys'])
    await tx.knex(table).where({ store_id: tx.storeId, job_id: jobId }).delete()
}
