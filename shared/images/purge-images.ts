import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Image } from './image.ts'

const BATCH_SIZE = 500

/** An image to purge. */
export type PurgedImage = Pick<Image, 'id' | 'name' | 'status' | 'files'>

/** Returns up to 500 images of the store. */
export const findImagesToPurge = (tx: StoreTx): PromiseLike<PurgedImage[]> =>
  Image.in(tx).orderBy('id').limit(BATCH_SIZE).select('id', 'name', 'status', 'files')

/** Deletes images whose files were removed, except those that a worker has published since they were found. */
export async function purgeImages(tx: StoreTx, images: readonly PurgedImage[]): Promise<void> {
  for (const [status, found] of Map.groupBy(images, (image) => image.status)) {
    const ids = found.map(({ id }) => id)
    await Image.in(tx).whereIn('id', ids).where({ status }).delete()
  }
}
