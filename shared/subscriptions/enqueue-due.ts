import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { withoutPendingJob } from '#shared/platform/jobs/job-table.ts'
import { now } from '#shared/platform/time/clock.ts'
import { chargeSubscription, remindSubscriber } from './jobs.ts'

/**
 * The subscriptions of one store that one run enqueues: as many as a payment gateway takes in a minute. The next run, a
 * minute later, takes the next ones. The rest does not wait in the queue, because a long queue is slow to fetch from.
 */
const MAX_ROWS = 5_000

/** Enqueues the charges of all stores that are due. Returns how many. */
export const enqueueDueCharges = (): Promise<number> => enqueueDue('subscriptions_due', chargeSubscription)

/** Enqueues the reminders of all stores that are due. Returns how many. */
export const enqueueDueReminders = (): Promise<number> => enqueueDue('reminders_due', remindSubscriber)

/** Enqueues a job for each subscription that an SQL function finds due, unless one waits already. */
async function enqueueDue(
  source: 'subscriptions_due' | 'reminders_due',
  job: typeof chargeSubscription | typeof remindSubscriber,
): Promise<number> {
  const { rows } = await db().raw<{ rows: { storeId: string; subscriptionId: string }[] }>(
    `select store_id as "storeId", subscription_id as "subscriptionId" from ${source}(?, ?)`,
    [now(), MAX_ROWS],
  )
  const left = await withoutPendingJob(job.queue, rows)
  for (const [storeId, ofStore] of Map.groupBy(left, (row) => row.storeId)) {
    const jobs = ofStore.map(({ subscriptionId }) => ({ payload: { subscriptionId } }))
    await inStore(storeId, (tx) => enqueueAll(tx, job, jobs))
  }
  return left.length
}
