import type { StoreTx } from '#shared/platform/db/store-scope.ts'

// Store small parts, to keep the driver's buffers small.
const PART_BYTES = 1024 * 1024

/** Saves the bytes of an upload until its files are made. */
export async function writeUpload(tx: StoreTx, imageId: string, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const part = { position: at / PART_BYTES, bytes: bytes.subarray(at, at + PART_BYTES) }
    await tx.knex('image_uploads').insert({ store_id: tx.storeId, image_id: imageId, ...part })
  }
}

/** Returns the bytes of an upload. */
export async function readUpload(tx: StoreTx, imageId: string): Promise<Buffer> {
  const parts: Buffer[] = []
  for (;;) {
    const row = await tx
      .knex('image_uploads')
      .where({ store_id: tx.storeId, image_id: imageId, position: parts.length })
      .first<{ bytes: Buffer } | undefined>('bytes')
    if (!row) return Buffer.concat(parts)
    parts.push(row.bytes)
  }
}

/** Deletes the bytes of an upload. */
export async function deleteUpload(tx: StoreTx, imageId: string): Promise<void> {
  await tx.knex('image_uploads').where({ store_id: tx.storeId, image_id: imageId }).delete()
}
