import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { Image } from './image.ts'
import { removeImageFiles } from './jobs.ts'

/** Deletes an image permanently. A worker removes its files. Throws `resource.not_found`. */
export async function deleteImage(tx: StoreTx, id: string): Promise<void> {
  const [deleted] = await Image.in(tx).where('id', id).delete().returning(['name', 'status'])
  if (!deleted) throw CommonErrors.notFound()
  // A request may wait for its files.
  if (deleted.status === 'processing') await notifySettled(tx, id)
  await enqueue(tx, removeImageFiles, { name: deleted.name })
}
