import { db } from '#shared/platform/db/db.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import type { JobDefinition, JobPayload } from './define-job.ts'
import { JOB_TABLE } from './job-table.ts'

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
