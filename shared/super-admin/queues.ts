import type { Knex } from 'knex'
import { fromKnex } from 'pg-boss'
import { db } from '#shared/platform/db/db.ts'
import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import { DEAD_LETTERS } from '#shared/platform/jobs/define-job.ts'
import { queues } from '#shared/platform/jobs/enqueue.ts'
import { QueueErrors } from './errors.ts'

/** How full a queue is. */
export interface QueueFigures {
  name: string
  /** Due now. */
  ready: number
  /** Due later, tries again among them. */
  deferred: number
  active: number
  /** Given up by this queue, and kept among the dead letters to be looked at or driven again. */
  deadLetters: number
  /** When the oldest job that is due was to start. */
  oldestReadyAt: Date | null
}

// One statement over all queues: the queue library's own figures are as old as a worker's last pass.
const FIGURES = `
  select q.name,
    count(j.id) filter (where j.state in ('created', 'retry') and j.start_after <= now())::int as ready,
    count(j.id) filter (where j.state in ('created', 'retry') and j.start_after > now())::int as deferred,
    count(j.id) filter (where j.state = 'active')::int as active,
    (select count(*)::int from pgboss.job d
     where d.name = :dead and d.state = 'created' and d.source_name = q.name) as "deadLetters",
    min(j.start_after) filter (where j.state in ('created', 'retry') and j.start_after <= now()) as "oldestReadyAt"
  from pgboss.queue q
  left join pgboss.job j on j.name = q.name and j.state in ('created', 'retry', 'active')
  where q.name <> :dead and q.name not like '\\_\\_pgboss%'
  group by q.name order by q.name`

/** How full each queue is. */
export async function readQueues(): Promise<QueueFigures[]> {
  const { rows } = await db().raw(FIGURES, { dead: DEAD_LETTERS })
  return rows
}

/** A job whose tries are used up. */
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

/** One page of the jobs that a queue gave up, the latest first, and how many there are. Throws `queue.not_found`. */
export async function listDeadLetters(queue: string, { page, page_size }: Paged): Promise<Page<DeadLetter>> {
  await assertQueue(db(), queue)
  const letters = db()('pgboss.job').where({ name: DEAD_LETTERS, state: 'created', source_name: queue })
  const [counted] = await letters.clone().count({ total: '*' })
  const rows = await letters
    .select({
      id: 'id',
      queue: 'source_name',
      jobId: 'source_id',
      payload: 'data',
      failure: 'source_output',
      retries: 'source_retry_count',
      createdAt: 'source_created_on',
      deadSince: 'created_on',
    })
    .orderBy('created_on', 'desc')
    .orderBy('id', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
  return { results: rows, total: Number(counted?.total) }
}

/** Puts jobs that a queue gave up back into it, all tries before them; the given ones, or the oldest. Returns how many. */
export async function redrive(
  knex: Knex.Transaction,
  queue: string,
  { ids, limit }: { ids?: string[] | undefined; limit: number },
): Promise<number> {
  await assertQueue(knex, queue)
  const boss = await queues()
  return boss.redrive(DEAD_LETTERS, { sourceName: queue, limit, ...(ids ? { ids } : {}), db: fromKnex(knex) })
}

async function assertQueue(knex: Knex, name: string): Promise<void> {
  if (!(await knex('pgboss.queue').where({ name }).first('name'))) throw QueueErrors.unknown()
}
