import { Type } from 'typebox'
import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

const Name = Type.String({ pattern: '^[\\w-]{32}$' })

/** Makes the files of an image. */
export const processImage = defineJob(
  'process-image',
  { imageId: Uuid, name: Name },
  { concurrency: 4, perStore: 1, retries: 5, expireInSeconds: 180 },
)

/** Removes the files of a deleted image. */
export const removeImageFiles = defineJob(
  'remove-image-files',
  { name: Name },
  { concurrency: 4, perStore: 1 },
)
