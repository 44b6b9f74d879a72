import type { Knex } from 'knex'
import { db } from '#shared/platform/db/db.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import type { JobDefinition, JobPayload } from './define-job.ts'

/*
 * SQL on pg-boss's own tables, for queries that its public API does not have. Only this folder reads them.
 * test/shared/platform/jobs/pg-boss-contracts.test.ts checks each column.
 */

export const JOB_TABLE = 'pgboss.job'

/** SQL: the present time that pg-boss compares with a job's due time. */
export const QUEUE_NOW = 'pgboss.job_now()'

/** SQL: whether a job has not started. pg-boss has an index of these jobs by the same expression. */
const WAITING = "state < 'active'"
/** SQL: whether a job waits or runs. */
const PENDING = "state in ('created', 'retry', 'active')"

/** SQL: the time until which pg-boss keeps a job that has not ended; null for ended jobs. */
export const PENDING_JOB_KEPT_UNTIL = `case when ${PENDING} then keep_until end`

/** SQL: whether a job with this id waits or runs in one of `queueCount` queues, whose names are the bindings. */
export const hasPendingJobSql = (idSql: string, queueCount: number): string =>
  `exists (select 1 from ${JOB_TABLE} where name in (${Array(queueCount).fill('?').join(', ')}) and id = ${idSql} and ${PENDING})`

/** Returns a store's jobs of one kind that wait or run. */
export async function pendingJobs<J extends JobDefinition>(
  { queue }: J,
  storeId: string,
): Promise<{ id: string; payload: JobPayload<J> }[]> {
  const { rows } = await db().raw<{ rows: { id: string; payload: JobPayload<J> }[] }>(
    `select id, data as payload from ${JOB_TABLE} where name = ? and group_id = ? and ${PENDING}`,
    [queue, storeId],
  )
  return rows
}

/** Returns the payloads of a store's jobs of one kind that wait or run. */
export const pendingPayloads = async <J extends JobDefinition>(
  job: J,
  storeId: string,
): Promise<JobPayload<J>[]> => (await pendingJobs(job, storeId)).map(({ payload }) => payload)

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
const waitingJobs = (knex: Knex) => knex('pgboss.job').whereRaw(WAITING)

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
    `delete from pgboss.job where (name, id) in (
       select name, id from ${JOB_TABLE}
       where name = ? and group_id = ? and state = 'created' and not blocked and start_after <= ${QUEUE_NOW}
       for update skip locked)`,
    [queue, storeId],
  )

/** A row without a pending job has lost it after this time. The job of a younger row may not be visible yet. */
export const JOB_LOST_AFTER_MS = 2 * MINUTE_MS

/**
 * Returns the different payloads for which no job of the queue waits or runs, in the order given. PostgreSQL compares
 * them, because a queue can have 100,000 jobs, and comparing those here blocked the process for a second. The statement
 * groups equal payloads, in which jobs have the number 0. A join could become a loop over all jobs for each payload if
 * PostgreSQL estimates wrongly. The text of a jsonb does not depend on the sequence of its keys.
 */
export async function withoutPendingJob<Payload extends object>(
  queue: string,
  payloads: Payload[],
): Promise<Payload[]> {
  if (payloads.length === 0) return []
  const { rows } = await db().raw<{ rows: { number: number }[] }>(
    `select min(number) as number from (
       select payload::text collate "C" as text, number::int
       from jsonb_array_elements(?::jsonb) with ordinality wanted (payload, number)
       union all select data::text, 0 from ${JOB_TABLE} where name = ? and ${PENDING}) found
     group by text having min(number) > 0 order by number`,
    [JSON.stringify(payloads), queue],
  )
  return rows.flatMap(({ number }) => payloads[number - 1] ?? [])
}
