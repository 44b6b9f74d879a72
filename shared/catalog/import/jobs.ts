import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Imports a slice of a file, then hands over to the next: a slice is much shorter than `expireIn`, so however long
 * a file takes, no part of it is in two hands at once. One import of a store at a time: two would fight for its rows.
 */
export const importProducts = defineJob(
  'import-products',
  { jobId: Uuid },
  { perStore: 1, concurrency: 2, expireIn: 60 },
)

/** Removes an upload that was begun and, an hour later, never finished. */
export const discardUnfinishedUpload = defineJob(
  'discard-unfinished-upload',
  { jobId: Uuid },
  { concurrency: 1 },
)
