import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { withoutPendingJob } from '#shared/platform/jobs/job-table.ts'
import { now } from '#shared/platform/time/clock.ts'
import { remindSubscriber } from './jobs.ts'

/** The reminders of one store that one scan enqueues. The next scan takes the next ones. */
const MAX_ROWS = 1_000

/** Enqueues the reminders of all stores that are due. Returns how many. */
export async function scanReminders(): Promise<number> {
  const { rows } = await db().raw<{ rows: { storeId: string; subscriptionId: string }[] }>(
    'select store_id as "storeId", subscription_id as "subscriptionId" from reminders_due(?, ?)',
    [now(), MAX_ROWS],
  )
  const left = await withoutPendingJob(remindSubscriber.queue, rows)
  for (const [storeId, ofStore] of Map.groupBy(left, (row) => row.storeId))
    await inStore(storeId, (tx) =>
      enqueueAll(
        tx,
        remindSubscriber,
        ofStore.map(({ subscriptionId }) => ({ payload: { subscriptionId } })),
      ),
    )
  return left.length
}
