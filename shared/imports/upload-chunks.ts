import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'

/** The size of every chunk but the last, so that the chunk of a byte can be computed. */
export const CHUNK_BYTES = 256 * 1024

export async function writeChunk(tx: StoreTx, jobId: string, position: number, bytes: Buffer): Promise<void> {
  await tx.knex('import_chunks').insert({ store_id: tx.storeId, job_id: jobId, position, bytes })
}

/** A chunk of the file, read in its own short transaction. */
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

/** The file from a byte on. Each chunk is read in its own short transaction. */
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
