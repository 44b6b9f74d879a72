import { randomBytes } from 'node:crypto'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Image } from './image.ts'
import { processImage } from './jobs.ts'
import { reserveQuota } from './quota.ts'
import type { ImageHeader } from './read-header.ts'
import { writeUpload } from './upload.ts'

/**
 * Saves an upload and enqueues the job that makes its files. Nothing of it is public before that. Throws
 * `image.quota_exceeded`.
 */
export async function createImage(tx: StoreTx, header: ImageHeader, bytes: Buffer): Promise<Image> {
  await reserveQuota(tx, bytes.length)
  const at = now()
  const image = await Image.in(tx)
    .insert({
      ...header,
      name: randomBytes(24).toString('base64url'),
      status: 'processing',
      bytes: bytes.length,
      storedBytes: bytes.length,
      files: [],
      failureReason: null,
      createdAt: at,
      updatedAt: at,
    })
    .returning('*')
  await writeUpload(tx, image.id, bytes)
  await enqueue(tx, processImage, { imageId: image.id, name: image.name })
  return image
}
