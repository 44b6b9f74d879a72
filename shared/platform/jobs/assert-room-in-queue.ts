import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { JobDefinition } from './define-job.ts'
import { hasWaitingJobs } from './waiting-jobs.ts'

const RETRY_SECONDS = 10

/**
 * Throws 429 `rate_limit.exceeded` if at least `most` jobs of the store wait in the queue of a job. Call it where staff
 * can enqueue jobs faster than the workers run them. Fetching from a queue passes over all jobs of a store that is at
 * its limit, so a long backlog of one store delays the others: 100,000 jobs by 120 ms for each fetch.
 */
export async function assertRoomInQueue(
  tx: StoreTx,
  { queue }: Pick<JobDefinition, 'queue'>,
  most: number,
): Promise<void> {
  if (await hasWaitingJobs(tx, queue, most))
    throw CommonErrors.rateLimitExceeded({ retryAfter: RETRY_SECONDS })
}
