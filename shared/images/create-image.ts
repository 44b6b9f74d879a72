import { randomBytes } from 'node:crypto'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertRoomInQueue } from '#shared/platform/jobs/assert-room-in-queue.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Image } from './image.ts'
import { processImage } from './jobs.ts'
import { lockAndAssertQuota } from './quota.ts'
import type { ImageHeader } from './read-header.ts'
import { writeUpload } from './upload.ts'

/** The most images of a store that wait for a worker. */
export const MAX_WAITING_IMAGES = 1_000

/**
 * Saves an upload and enqueues the job that makes its files. Only these files are public. Throws
 * `image.quota_exceeded`, and 429 while too many images of the store wait.
 */
export async function createImage(tx: StoreTx, header: ImageHeader, bytes: Buffer): Promise<Image> {
  await assertRoomInQueue(tx, processImage, MAX_WAITING_IMAGES)
  await lockAndAssertQuota(tx, bytes.length)
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
