import { Type } from 'typebox'
import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

const Name = Type.String({ pattern: '^[\\w-]{32}$' })

// Nothing else makes or removes the files later, so retry through half a day's outage of the storage.
const RETRIES = 80

/** Makes the files of an image. */
export const processImage = defineJob(
  'process-image',
  { imageId: Uuid, name: Name },
  { concurrency: 4, perStore: 1, retries: RETRIES, expireInSeconds: 180 },
)

/** Removes the files of a deleted image. */
export const removeImageFiles = defineJob(
  'remove-image-files',
  { name: Name },
  { concurrency: 4, perStore: 1, retries: RETRIES },
)
