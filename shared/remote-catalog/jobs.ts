import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'
import { RemoteRequest } from './remote-request.ts'

/**
 * Sends a request to an external system. The queue is separate and waiting costs little, so a slow system delays only
 * its own requests: it takes forty stores with slow systems to fill one process. By the time of a retry, the request is
 * answered or expired.
 */
export const readRemoteCatalog = defineJob(
  'read-remote-catalog',
  { readId: Uuid, request: RemoteRequest },
  {
    retries: 1,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 1,
    expireInSeconds: 20,
    concurrency: 640,
    perStore: 16,
  },
)
