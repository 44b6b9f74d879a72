import type { Knex } from 'knex'
import { db } from '../db/db.ts'

/*
 * SQL on pg-boss's own tables, for what its public API does not offer. Only this room reads them;
 * test/shared/platform/jobs/pg-boss-contracts.test.ts names each column.
 */

export const JOB_TABLE = 'pgboss.job'

/** SQL: the time by which pg-boss decides whether a job is due. */
export const QUEUE_NOW = 'pgboss.job_now()'

const PENDING = "state in ('created', 'retry', 'active')"

/** SQL: until when pg-boss keeps a job that has not ended; null for others. */
export const PENDING_JOB_KEPT_UNTIL = `case when ${PENDING} then keep_until end`

/** SQL: whether a job with this id waits or runs in one of `queueCount` queues, whose names are the bindings. */
export const hasPendingJobSql = (idSql: string, queueCount: number): string =>
  `exists (select 1 from ${JOB_TABLE} where name in (${Array(queueCount).fill('?').join(', ')}) and id = ${idSql} and ${PENDING})`

/** The payloads of a queue's jobs that wait or run. */
export async function pendingPayloads<Payload>(queue: string): Promise<Payload[]> {
  const { rows } = await db().raw<{ rows: { data: Payload }[] }>(
    `select data from ${JOB_TABLE} where name = ? and ${PENDING}`,
    [queue],
  )
  return rows.map(({ data }) => data)
}

/** Those of these queues that have a due job. Each is one probe of the index by which pg-boss fetches. */
export async function findDueQueues(queues: readonly string[]): Promise<string[]> {
  const { rows } = await db().raw<{ rows: { name: string }[] }>(
    `select queue.name from unnest(?::text[]) queue (name) where exists (
       select from ${JOB_TABLE} job
       where job.name = queue.name and state < 'active' and not blocked and start_after <= ${QUEUE_NOW})`,
    [[...queues]],
  )
  return rows.map(({ name }) => name)
}

/** Deletes a store's jobs that have not started. */
export const deleteWaitingJobs = (knex: Knex, storeId: string): Promise<number> =>
  knex('pgboss.job').where('group_id', storeId).whereIn('state', ['created', 'retry']).delete()

/** Deletes the due jobs of one queue and store that no worker has fetched. */
export const deleteUnfetchedJobs = (queue: string, storeId: string) =>
  db().raw(
    `delete from pgboss.job where (name, id) in (
       select name, id from ${JOB_TABLE}
       where name = ? and group_id = ? and state = 'created' and not blocked and start_after <= ${QUEUE_NOW}
       for update skip locked)`,
    [queue, storeId],
  )

/** The version of pg-boss's schema. Throws when the schema is missing. */
export const readQueueSchemaVersion = () => db().raw('select version from pgboss.version')

/**
 * Deletes a store's jobs that name one of these addresses, in lower case, in every state: queued mails and dead
 * letters.
 */
export const deleteJobsTo = (knex: Knex, storeId: string, emails: readonly string[]): Promise<number> =>
  knex('pgboss.job')
    .whereRaw("data->>'storeId' = ?", [storeId])
    .where((job) => {
      for (const field of ['to', 'email']) job.orWhereRaw(`lower(data->>'${field}') = any(?)`, [[...emails]])
    })
    .delete()

/** Those of the payloads for which no job of the queue waits or runs. */
export async function withoutPendingJob<Payload extends object>(
  queue: string,
  payloads: Payload[],
): Promise<Payload[]> {
  if (payloads.length === 0) return []
  const pending = new Set((await pendingPayloads<object>(queue)).map(identity))
  return payloads.filter((payload) => !pending.has(identity(payload)))
}

/** The payload as text, whatever the order of its keys. */
const identity = (payload: object): string => JSON.stringify(Object.entries(payload).sort())
