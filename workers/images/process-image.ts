import { allKeysOf, keyOf } from '#shared/images/files.ts'
import { findImageIfAny, type Image } from '#shared/images/image.ts'
import { processImage as job } from '#shared/images/jobs.ts'
import { failImage, publishImage } from '#shared/images/publish-image.ts'
import { readUpload } from '#shared/images/upload.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { openImageStorage } from '#workers/gateways/images/open-image-storage.ts'
import { handle } from '#workers/platform/handle.ts'
import type { MadeFile } from './decode-image.ts'
import { makeFiles, UndecodableImage } from './make-files.ts'

/** Creates and saves the files of an image, then publishes it. If a run fails, the next one repeats it. */
export const processImage = handle(job, async ({ storeId, imageId, name }, { signal }) => {
  const image = await inStore(storeId, (tx) => findImageIfAny(tx, imageId))
  const isDeleted = !image || !(await saveFiles(image, signal))
  // Remove files that were saved after the image was deleted.
  if (isDeleted) await openImageStorage().remove(allKeysOf(name), signal)
})

/** Makes, saves and publishes the files of an image that is processed. Returns false if it was deleted during that. */
async function saveFiles(image: Image, signal: AbortSignal): Promise<boolean> {
  const { storeId, id, name, status } = image
  if (status !== 'processing') return true
  const upload = await inStore(storeId, (tx) => readUpload(tx, id))
  const files = await makeOrFail(upload, image)
  if (!files) return true
  const storage = openImageStorage()
  for (const { size, content } of files) await storage.put(keyOf(name, size), content, signal)
  const described = files.map(({ content: _, ...file }) => file)
  return inStore(storeId, (tx) => publishImage(tx, id, described))
}

async function makeOrFail(upload: Buffer, image: Image): Promise<MadeFile[] | null> {
  try {
    return await makeFiles(upload, image)
  } catch (error) {
    if (!(error instanceof UndecodableImage)) throw error
    await inStore(image.storeId, (tx) => failImage(tx, image.id, error.reason))
    return null
  }
}
