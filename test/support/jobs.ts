import { after } from 'node:test'
import type { PgBoss } from 'pg-boss'
import { db } from '#shared/platform/db/db.ts'
import { queues } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { closeMailGateway } from '#workers/gateways/mail.ts'
import { handlers } from '#workers/handlers.ts'
import { type Handler, runJob } from '#workers/platform/handle.ts'
import { superuser } from './database.ts'

after(closeMailGateway)

/** Deletes what other tests have left in the queues. */
export const discardJobs = (): Promise<unknown> => superuser.query('delete from pgboss.job')

export interface Drained {
  queue: string
  error: unknown
}

/**
 * Does every job that is due by the test's clock, in this process and as a worker would, until none is left.
 * Returns what was run; a job that fails is tried again only by a later drain after its pause has passed.
 */
export async function drainJobs(): Promise<Drained[]> {
  const boss = await queues()
  const drained: Drained[] = []
  for (;;) {
    const due = await dueQueues()
    let found = 0
    for (const handler of handlers.filter(({ job }) => due.has(job.queue))) {
      const run = await drainQueue(boss, handler)
      found += run.length
      drained.push(...run)
    }
    if (found === 0) return drained
  }
}

/** The queues with a due job. The queue reads the database's clock, so what is due by the test's clock becomes due by that. */
async function dueQueues(): Promise<Set<string>> {
  const { rows } = await db().raw<{ rows: { name: string }[] }>(
    `with due as (
       update pgboss.job set start_after = now() - interval '1 second'
       where state in ('created', 'retry') and start_after > now() and start_after <= ?
       returning name)
     select name from due union select name from pgboss.job where state in ('created', 'retry') and start_after <= now()`,
    [now()],
  )
  return new Set(rows.map(({ name }) => name))
}

async function drainQueue(boss: PgBoss, handler: Handler): Promise<Drained[]> {
  const { queue } = handler.job
  const jobs = await boss.fetch<{ storeId?: string }>(queue, { batchSize: 100, includeMetadata: true })
  const drained: Drained[] = []
  for (const job of jobs) {
    try {
      await runJob(handler, { ...job, signal: AbortSignal.timeout(handler.job.rules.expireIn * 1_000) })
      await boss.complete(queue, job.id)
      drained.push({ queue, error: null })
    } catch (error) {
      await boss.fail(queue, job.id, { message: String(error) })
      drained.push({ queue, error })
    }
  }
  return drained
}
