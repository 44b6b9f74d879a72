import { inStore } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { findImage, type Image } from './image.ts'

/** Waits at most `timeoutMs` until a worker has made the files of an image, and returns it in its present state. */
export const awaitImage = (storeId: string, id: string, timeoutMs: number): Promise<Image> =>
  waitUntilSettled(
    id,
    timeoutMs,
    () => inStore(storeId, (tx) => findImage(tx, id)),
    ({ status }) => status !== 'processing',
  )
