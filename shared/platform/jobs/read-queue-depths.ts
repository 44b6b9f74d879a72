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
  select q.name as queue, coalesce(w.ready, 0) as ready, coalesce(w.deferred, 0) as deferred,
    q.active_count as active, q.failed_count as failed, coalesce(d.count, 0) as dead_letter,
    greatest(0, coalesce(extract(epoch from ${QUEUE_NOW} - w.oldest), 0))::float as oldest_seconds
  from pgboss.queue q
  left join waiting w on w.name = q.name
  left join dead d on d.source_name = q.name
  where q.name <> :dead and q.name not like '\\_\\_pgboss%'
  order by q.name`

/** Returns the depth of each queue. */
export async function readQueueDepths(): Promise<QueueDepth[]> {
  const { rows } = await db().raw<{ rows: QueueDepth[] }>(DEPTHS, { dead: DEAD_LETTERS })
  return rows
}
