import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'
import { RemoteQuestion } from './question.ts'

/**
 * Asks an external system. Its queue is its own and waiting costs next to nothing, so a system that hangs holds up
 * nobody but those who ask it: it takes forty stores whose systems hang at once to fill one process. A question is
 * answered or out of date when the queue would try again.
 */
export const readRemoteCatalog = defineJob(
  'read-remote-catalog',
  { readId: Uuid, question: RemoteQuestion },
  { retries: 1, retryDelay: 1, retryDelayMax: 1, expireIn: 20, concurrency: 640, perStore: 16 },
)
