import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'
import { RemoteRequest } from './remote-request.ts'

/**
 * Sends a request to an external system. The queue is separate and waiting costs little, so a slow system delays only
 * its own requests. Forty stores with slow systems would fill one process. A retry finds the request completed or
 * expired.
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
