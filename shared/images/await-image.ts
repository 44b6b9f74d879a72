import { inStore } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { ImageErrors } from './errors.ts'
import { FAILURES, findImage, type Image } from './image.ts'

/**
 * Waits at most `timeoutMs` until a worker has made the files of an image, and returns it in its present state. Throws
 * `image.unreadable` or `image.too_costly` if the files cannot be made.
 */
export async function awaitImage(storeId: string, id: string, timeoutMs: number): Promise<Image> {
  const image = await waitUntilSettled(
    id,
    timeoutMs,
    () => inStore(storeId, (tx) => findImage(tx, id)),
    ({ status }) => status !== 'processing',
  )
  if (image.status === 'failed') throw errorOf(image)
  return image
}

const errorOf = ({ failureReason }: Image): Error =>
  failureReason === FAILURES.undecodable ? ImageErrors.unreadable() : ImageErrors.tooCostly()
