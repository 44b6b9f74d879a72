import { config } from '#shared/platform/config/config.ts'
import { bucketStorage } from './bucket-storage.ts'
import { folderStorage } from './folder-storage.ts'
import type { ImageStorage } from './image-storage.ts'

/** Returns the storage of the environment. */
export function openImageStorage(): ImageStorage {
  const { S3_BUCKET, IMAGES_DIR } = config()
  return S3_BUCKET ? bucketStorage() : folderStorage(IMAGES_DIR)
}
