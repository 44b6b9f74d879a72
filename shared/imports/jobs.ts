import { Type } from 'typebox'
import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Deletes an upload that is still unfinished after an hour. */
export const discardUnfinishedUpload = defineJob(
  'discard-unfinished-upload',
  { jobId: Uuid },
  { concurrency: 4, perStore: 1 },
)

/** Deletes the notes of old imports of all stores. */
export const purgeImportNotes = definePlatformJob(
  'purge-import-notes',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)

/**
 * Defines a job that imports a slice of a file and enqueues itself for the next one. A slice ends long before
 * `expireInSeconds`, so that two workers never import the same part. A store has only one running import, because two
 * would wait for each other's row locks.
 */
export const defineImport = (name: string) =>
  defineJob(
    name,
    { jobId: Uuid, slice: Type.Integer() },
    { concurrency: 4, perStore: 1, expireInSeconds: 60 },
  )

export type ImportJobDefinition = ReturnType<typeof defineImport>
