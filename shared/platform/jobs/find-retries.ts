import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { JobDefinition } from './define-job.ts'
import { JOB_TABLE } from './job-table.ts'

/** A job that failed and waits for its next try. */
export interface JobRetry {
  queue: string
  /** The id of the job's subject, from its payload. */
  subjectId: string
  /** The number of tries so far. */
  attempts: number
  /** The error of the last try. */
  error: string | null
  nextAttemptAt: Date
}

/**
 * Returns the store's failed jobs of these kinds that wait for their next try. `property` is the payload's property
 * with the id of the subject.
 */
export async function findRetries(
  tx: StoreTx,
  jobs: readonly Pick<JobDefinition, 'queue'>[],
  property: 'refundId' | 'paymentId',
  subjectIds: readonly string[],
): Promise<JobRetry[]> {
  if (subjectIds.length === 0) return []
  // Use the conditions of the index by which pg-boss fetches, so that only waiting jobs of these queues are read.
  const { rows } = await tx.knex.raw<{ rows: JobRetry[] }>(
    `select name as queue, data->>:property as "subjectId", retry_count + 1 as attempts,
       coalesce(output->>'message', output->'value'->>'message') as error, start_after as "nextAttemptAt"
     from ${JOB_TABLE}
     where name = any(:queues) and state < 'active' and not blocked
       and state = 'retry' and group_id = :storeId and data->>:property = any(:subjectIds)
     order by start_after`,
    { property, queues: jobs.map(({ queue }) => queue), storeId: tx.storeId, subjectIds: [...subjectIds] },
  )
  return rows
}
