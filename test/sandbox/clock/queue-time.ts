import type { Knex } from 'knex'
import { fromKnex } from 'pg-boss'
import { DEAD_LETTERS } from '#shared/platform/jobs/define-job.ts'
import { JOB_TABLE, QUEUE_NOW } from '#shared/platform/jobs/job-table.ts'
import { queues } from '#shared/platform/jobs/sender.ts'

/*
 * The queue's time is that of PostgreSQL, which cannot be moved. All statements of pg-boss read it through one
 * function, which the sandbox replaces. test/shared/platform/jobs/pg-boss-contracts.test.ts fails when an upgrade moves
 * this.
 */

/** Puts the queue's time ahead of PostgreSQL's by `offsetMs`; 0 restores pg-boss's own function. */
export const setQueueTime = (knex: Knex, offsetMs: number) => {
  const ahead = offsetMs === 0 ? '' : ` + interval '${BigInt(offsetMs)} milliseconds'`
  return knex.raw(
    `create or replace function ${QUEUE_NOW} returns timestamp with time zone as
     $$ select pg_catalog.now()${ahead} $$ language sql stable`,
  )
}

/**
 * Moves the queue's time to `offsetMs`, `byMs` later than before, in a transaction. What became due is due immediately,
 * what runs keeps its time to end, and a waiting job is not discarded as too old.
 */
export async function moveQueueTime(tx: Knex.Transaction, offsetMs: number, byMs: number): Promise<void> {
  // A job that starts at the old time while this moves the running ones would look expired.
  await tx.raw(`lock table ${JOB_TABLE} in share row exclusive mode`)
  await setQueueTime(tx, offsetMs)
  const advance = `${byMs} milliseconds`
  await tx.raw(
    `update ${JOB_TABLE} set started_on = started_on + ?::interval, heartbeat_on = heartbeat_on + ?::interval
     where state = 'active'`,
    [advance, advance],
  )
  await tx.raw(
    `update ${JOB_TABLE} set keep_until = keep_until + ?::interval
     where state in ('created', 'retry', 'active') and name <> ?`,
    [advance, DEAD_LETTERS],
  )
}

/** Sends one job for each schedule that has a time between two times. Returns the queues. */
export async function sendSchedulesBetween(tx: Knex.Transaction, from: Date, to: Date): Promise<string[]> {
  const boss = await queues()
  const sent: string[] = []
  for (const { name, cron, timezone, data } of await boss.getSchedules()) {
    const [next] = boss.previewSchedule(cron, { tz: timezone, from, count: 1 })
    if (!next || next > to) continue
    await boss.send(name, (data ?? {}) as object, { db: fromKnex(tx) })
    sent.push(name)
  }
  return sent
}

/** The work of a queue that is due and has not ended. */
export interface DueWork {
  queue: string
  waiting: number
  running: number
}

/** The due work of each queue, and when the next job becomes due. */
export async function readDueWork(knex: Knex): Promise<{ due: DueWork[]; nextDueAt: Date | null }> {
  const { rows: due } = await knex.raw<{ rows: DueWork[] }>(
    `select name as queue,
       count(*) filter (where state <> 'active')::int as waiting,
       count(*) filter (where state = 'active')::int as running
     from ${JOB_TABLE}
     where name <> ?
       and (state = 'active' or (state in ('created', 'retry') and start_after <= ${QUEUE_NOW}))
     group by name order by name`,
    [DEAD_LETTERS],
  )
  const { rows } = await knex.raw<{ rows: { next: Date | null }[] }>(
    `select min(start_after) as next from ${JOB_TABLE}
     where name <> ? and state in ('created', 'retry') and start_after > ${QUEUE_NOW}`,
    [DEAD_LETTERS],
  )
  return { due, nextDueAt: rows[0]?.next ?? null }
}
