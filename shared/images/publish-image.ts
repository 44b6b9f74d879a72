import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { type FailureReason, Image } from './image.ts'
import type { ImageFile } from './size.ts'
import { IMAGE_TRANSITIONS, type ImageStatus } from './states.ts'
import { deleteUpload } from './upload.ts'

/**
 * Publishes an image whose files are saved. Returns false if the image was deleted, so that nothing refers to the
 * files.
 */
export const publishImage = (tx: StoreTx, id: string, files: ImageFile[]): Promise<boolean> =>
  settleImage(tx, id, {
    status: 'ready',
    files,
    storedBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  })

/** Marks an image whose files cannot be made. */
export const failImage = (tx: StoreTx, id: string, failureReason: FailureReason): Promise<boolean> =>
  settleImage(tx, id, { status: 'failed', failureReason, storedBytes: 0 })

async function settleImage(
  tx: StoreTx,
  id: string,
  outcome: { status: ImageStatus } & Partial<Image>,
): Promise<boolean> {
  const image = await Image.in(tx).findById(id).forNoKeyUpdate()
  if (!image) return false
  if (canTransition(IMAGE_TRANSITIONS, image.status, outcome.status)) {
    await Image.in(tx)
      .findById(id)
      .patch({ ...outcome, updatedAt: nextUpdatedAt(image) })
    await deleteUpload(tx, id)
    await notifySettled(tx, id)
  }
  return true
}
