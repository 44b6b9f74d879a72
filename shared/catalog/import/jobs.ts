import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Imports a slice of a file and enqueues the job for the next one. A slice takes much less time than `expireIn`, so no two
 * workers import the same part. One import of a store runs at a time, because two would wait for each other's row locks.
 */
export const importProducts = defineJob(
  'import-products',
  { jobId: Uuid },
  { concurrency: 4, perStore: 1, expireIn: 60 },
)

/** Deletes an upload that is unfinished after an hour. */
export const discardUnfinishedUpload = defineJob(
  'discard-unfinished-upload',
  { jobId: Uuid },
  { concurrency: 4, perStore: 1 },
)
