import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { PgBoss } from 'pg-boss'
import { db } from '#shared/platform/db/db.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { now } from '#shared/platform/time/clock.ts'
import { superuser } from '#test/support/database.ts'
import { RUNS_TWICE, recordRun } from '#test/support/runner/jobs-twice.ts'
import { closeMailGateway } from '#workers/gateways/mail.ts'
import { handlers } from '#workers/handlers.ts'
import { enqueueDueOrders } from '#workers/payments/close/enqueue-due-orders.ts'
import { type Handler, runJob } from '#workers/platform/handle.ts'

after(closeMailGateway)

/** Deletes what other tests have left in the queues. */
export const discardJobs = (): Promise<unknown> => superuser.query('delete from pgboss.job')

export interface Drained {
  queue: string
  error: unknown
}

/**
 * Runs every job that is due by the test's clock, in this process and as a worker does, until none is left; by default
 * of all queues. Returns the jobs that ran. A failed job is retried only by a drain after its delay.
 */
export async function drainJobs(of: readonly Handler[] = handlers): Promise<Drained[]> {
  const boss = await queues()
  const drained: Drained[] = []
  for (;;) {
    const due = await dueQueues()
    let found = 0
    for (const handler of of.filter(({ job }) => due.has(job.queue))) {
      const run = await drainQueue(boss, handler)
      found += run.length
      drained.push(...run)
    }
    if (found === 0) return drained
  }
}

/** Like `drainJobs`, after the scheduled job that enqueues orders whose hold or time to pay has ended. */
export async function drainDueOrders(): Promise<Drained[]> {
  await runScheduled(enqueueDueOrders)
  return drainJobs()
}

/** Runs a job of the platform as its schedule does. */
export async function runScheduled(handler: Handler): Promise<void> {
  await (await queues()).send(handler.job.queue, {})
  const drained = await drainJobs([handler])
  assert.deepEqual(
    drained.filter(({ error }) => error !== null),
    [],
  )
}

/**
 * The queues with a due job. Sets back `start_after` of jobs due by the test's clock: the queue uses the database's.
 */
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
    const signal = AbortSignal.timeout(handler.job.rules.expireInSeconds * 1_000)
    recordRun(queue)
    try {
      await runJob(handler, { ...job, signal })
      if (RUNS_TWICE) await runJob(handler, { ...job, retryCount: job.retryCount + 1, signal })
      await boss.complete(queue, job.id)
      drained.push({ queue, error: null })
    } catch (error) {
      await boss.fail(queue, job.id, { message: (error as Error).message })
      drained.push({ queue, error })
    }
  }
  return drained
}
