import { db } from '#shared/platform/db/db.ts'
import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import { DEAD_LETTERS } from './define-job.ts'
import { JOB_TABLE } from './job-table.ts'
import { assertQueue } from './queue-status.ts'

/** A job without retries left. */
export interface DeadLetter {
  id: string
  queue: string
  jobId: string
  payload: unknown
  failure: unknown
  retries: number
  createdAt: Date
  deadSince: Date
}

export const FAILED_JOBS = new List({
  sorts: { dead_since: 'created_on', created_at: 'source_created_on' },
  order: '-dead_since',
  searches: 'Part of the payload or of the failure',
  text: ['data::text', 'source_output::text'],
  createdAt: 'source_created_on',
})

/** Returns one page of a queue's dead letters, by default the latest first. Throws `queue.not_found`. */
export async function listDeadLetters(queue: string, filter: ListFilter): Promise<Page<DeadLetter>> {
  await assertQueue(db(), queue)
  return inPlatform(({ knex }) => {
    const letters = knex(JOB_TABLE).where({ name: DEAD_LETTERS, state: 'created', source_name: queue })
    return FAILED_JOBS.pageOfRows<DeadLetter>(letters, filter, DEAD_LETTER_COLUMNS)
  })
}

const DEAD_LETTER_COLUMNS = {
  id: 'id',
  queue: 'source_name',
  jobId: 'source_id',
  payload: 'data',
  failure: 'source_output',
  retries: 'source_retry_count',
  createdAt: 'source_created_on',
  deadSince: 'created_on',
}
