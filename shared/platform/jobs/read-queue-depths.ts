import { db } from '#shared/platform/db/db.ts'
import { DEAD_LETTERS } from './define-job.ts'
import { JOB_TABLE, QUEUE_NOW } from './job-table.ts'

/** The job counts of a queue that /metrics shows. */
export interface QueueDepth {
  queue: string
  ready: number
  deferred: number
  active: number
  failed: number
  dead_letter: number
  /** Seconds since the oldest ready job became due; 0 without ready jobs. */
  oldest_seconds: number
}

// `state < 'active' and not blocked` is the condition of the index by which pg-boss fetches. So waiting jobs are
// counted in that index alone, however many jobs have ended. Running and failed jobs have no index. One worker's
// pg-boss counts them every five seconds.
const DEPTHS = `
  with waiting as (
    select name,
      count(*) filter (where start_after <= ${QUEUE_NOW})::int as ready,
      count(*) filter (where start_after > ${QUEUE_NOW})::int as deferred,
      min(start_after) as oldest
    from ${JOB_TABLE} where state < 'active' and not blocked group by name
  ), dead as (
    select source_name, count(*)::int as count from ${JOB_TABLE}
    where name = :dead and state < 'active' and not blocked group by source_name
  )
  select queue.name as queue, coalesce(waiting.ready, 0) as ready, coalesce(waiting.deferred, 0) as deferred,
    queue.active_count as active, queue.failed_count as failed, coalesce(dead.count, 0) as dead_letter,
    greatest(0, coalesce(extract(epoch from ${QUEUE_NOW} - waiting.oldest), 0))::float as oldest_seconds
  from pgboss.queue queue
  left join waiting on waiting.name = queue.name
  left join dead on dead.source_name = queue.name
  where queue.name <> :dead and queue.name not like '\\_\\_pgboss%'
  order by queue.name`

/** Returns the depth of each queue. */
export async function readQueueDepths(): Promise<QueueDepth[]> {
  const { rows } = await db().raw<{ rows: QueueDepth[] }>(DEPTHS, { dead: DEAD_LETTERS })
  return rows
}
