import type { Knex } from 'knex'
import { db } from '#shared/platform/db/db.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { JobDefinition } from './define-job.ts'
import { JOB_TABLE, QUEUE_NOW } from './job-table.ts'

/** SQL: whether a job has not started. pg-boss has an index of these jobs by the same expression. */
const WAITING = "state < 'active'"

/** Whether at least `count` jobs of a store wait in a queue. The query also reads the jobs of other stores. */
export async function hasWaitingJobs(
  { knex, storeId }: StoreTx,
  queue: string,
  count: number,
): Promise<boolean> {
  const { rows } = await knex.raw(
    `select from ${JOB_TABLE} where name = ? and ${WAITING} and not blocked and group_id = ?
     offset ? limit 1`,
    [queue, storeId, count - 1],
  )
  return rows.length > 0
}

/**
 * Locks a due job of the store whose payload contains `payload`, so that no worker starts it before the commit. Returns
 * false if there is none: a job that waits for its retry is not due. Use it for jobs that do all the work there is:
 * instead of enqueuing a second job, which would find nothing to do, hold the waiting one.
 */
export async function holdWaitingJob(
  { knex, storeId }: StoreTx,
  { queue }: Pick<JobDefinition, 'queue'>,
  payload: Record<string, string> = {},
): Promise<boolean> {
  const { rows } = await knex.raw(
    `select from ${JOB_TABLE} where name = ? and ${WAITING} and not blocked and group_id = ? and data @> ?::jsonb
       and start_after <= ${QUEUE_NOW}
     limit 1 for share skip locked`,
    [queue, storeId, JSON.stringify(payload)],
  )
  return rows.length > 0
}

/** Returns the ids of the stores with at least `count` jobs of a queue that wait. */
export async function findStoresWithWaitingJobs(queue: string, count: number): Promise<string[]> {
  const { rows } = await db().raw<{ rows: { id: string }[] }>(
    `select group_id as id from ${JOB_TABLE} where name = ? and ${WAITING} and not blocked
     group by group_id having count(*) >= ?`,
    [queue, count],
  )
  return rows.map(({ id }) => id)
}

/**
 * Returns the queues that have a due job. Each queue costs one probe of the index by which pg-boss fetches. With
 * `exists`, or without the sequence of that index, PostgreSQL reads the whole table when a queue is long.
 */
export async function findDueQueues(queues: readonly string[]): Promise<string[]> {
  const { rows } = await db().raw<{ rows: { name: string }[] }>(
    `select queue.name from unnest(?::text[]) queue (name) cross join lateral (
       select from ${JOB_TABLE} job
       where job.name = queue.name and ${WAITING} and not blocked and start_after <= ${QUEUE_NOW}
       order by priority desc, created_on limit 1) due`,
    [[...queues]],
  )
  return rows.map(({ name }) => name)
}

/** Selects the jobs that have not started. */
const waitingJobs = (knex: Knex) => knex(JOB_TABLE).whereRaw(WAITING)

/** Deletes a store's jobs that have not started, of one queue or of all. */
export function deleteWaitingJobs(knex: Knex, storeId: string, queue?: string): Promise<number> {
  const jobs = waitingJobs(knex).where('group_id', storeId)
  return (queue === undefined ? jobs : jobs.where('name', queue)).delete()
}

/** Deletes the jobs with these ids in these queues that have not started. */
export const deleteWaitingJobsById = (
  knex: Knex,
  queues: readonly string[],
  ids: readonly string[],
): Promise<number> => waitingJobs(knex).whereIn('name', queues).whereIn('id', ids).delete()

/** Deletes the due jobs of one queue and store that no worker has fetched. */
export const deleteUnfetchedJobs = (queue: string, storeId: string) =>
  db().raw(
    `delete from ${JOB_TABLE} where (name, id) in (
       select name, id from ${JOB_TABLE}
       where name = ? and group_id = ? and state = 'created' and not blocked and start_after <= ${QUEUE_NOW}
       for update skip locked)`,
    [queue, storeId],
  )
