import { allKeysOf, keyOf } from '#shared/images/files.ts'
import { findImageIfAny, type Image } from '#shared/images/image.ts'
import { processImage as job } from '#shared/images/jobs.ts'
import { failImage, publishImage } from '#shared/images/settle-image.ts'
import { readUpload } from '#shared/images/upload.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { openImageStorage } from '#workers/gateways/images/open-image-storage.ts'
import { handle } from '#workers/platform/handle.ts'
import { type MadeFile, makeFiles, UndecodableImage } from './make-files.ts'

/** Makes and saves the files of an image, then publishes it. A run that dies leaves it unpublished for the next one. */
export const processImage = handle(job, async ({ storeId, imageId, name }, { signal }) => {
  const image = await inStore(storeId, (tx) => findImageIfAny(tx, imageId))
  if (image && image.status !== 'processing') return
  const storage = openImageStorage()
  if (image) {
    const upload = await inStore(storeId, (tx) => readUpload(tx, imageId))
    const files = await makeOrFail(upload, image)
    if (!files) return
    for (const { size, content } of files) await storage.put(keyOf(name, size), content, signal)
    const described = files.map(({ content: _, ...file }) => file)
    if (await inStore(storeId, (tx) => publishImage(tx, imageId, described))) return
  }
  // The image was deleted in between, and its files may have been saved after that.
  await storage.remove(allKeysOf(name), signal)
})

async function makeOrFail(upload: Buffer, image: Image): Promise<MadeFile[] | null> {
  try {
    return await makeFiles(upload, image)
  } catch (error) {
    if (!(error instanceof UndecodableImage)) throw error
    await inStore(image.storeId, (tx) => failImage(tx, image.id, 'The pixels cannot be decoded'))
    return null
  }
}
