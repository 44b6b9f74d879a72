import type { Knex } from 'knex'
import { db } from '#shared/platform/db/db.ts'
import { DEAD_LETTERS } from './define-job.ts'
import { QueueErrors } from './errors.ts'
import { JOB_TABLE, QUEUE_NOW } from './job-table.ts'

/** The number of jobs of a queue, by state. */
export interface QueueFigures {
  name: string
  /** Jobs that are due now. */
  ready: number
  /** Jobs that are due later, including retries. */
  deferred: number
  active: number
  /** Jobs without retries left, which an operator can inspect or redrive. */
  deadLetters: number
  /** The time at which the oldest due job became due. */
  oldestReadyAt: Date | null
}

const IS_WAITING = "job.state in ('created', 'retry')"

// One statement counts all queues, because pg-boss's own figures are only as recent as a worker's last supervision.
// It reads the dead letters once for all queues. There can be many after an outage, when an operator needs the figures.
const FIGURES = `
  with dead as materialized (
    select source_name, count(*)::int as count from ${JOB_TABLE}
    where name = :dead and state = 'created' group by source_name)
  select queue.name,
    count(job.id) filter (where ${IS_WAITING} and job.start_after <= ${QUEUE_NOW})::int as ready,
    count(job.id) filter (where ${IS_WAITING} and job.start_after > ${QUEUE_NOW})::int as deferred,
    count(job.id) filter (where job.state = 'active')::int as active,
    coalesce(max(dead.count), 0) as "deadLetters",
    min(job.start_after) filter (where ${IS_WAITING} and job.start_after <= ${QUEUE_NOW}) as "oldestReadyAt"
  from pgboss.queue queue
  left join ${JOB_TABLE} job on job.name = queue.name and job.state in ('created', 'retry', 'active')
  left join dead on dead.source_name = queue.name
  where queue.name <> :dead and queue.name not like '\\_\\_pgboss%'
  group by queue.name order by queue.name`

/** Returns the figures of each queue. */
export async function readQueues(): Promise<QueueFigures[]> {
  const { rows } = await db().raw(FIGURES, { dead: DEAD_LETTERS })
  return rows
}

/** Throws `queue.not_found` for an unknown queue. */
export async function assertQueue(knex: Knex, name: string): Promise<void> {
  if (!(await knex('pgboss.queue').where({ name }).first('name'))) throw QueueErrors.notFound()
}
