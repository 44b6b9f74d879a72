import { inStore } from '#shared/platform/db/store-scope.ts'
import { hasUnpublishedEvents } from '#shared/platform/events/event-log.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { log } from '#shared/platform/log.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { findOverdueStores } from '#shared/webhooks/deliveries/find-overdue-stores.ts'
import { holdLostDeliveries } from '#shared/webhooks/deliveries/hold-lost-deliveries.ts'
import { recoverDeliveries as job } from '#shared/webhooks/jobs.ts'
import { handle } from '#workers/platform/handle.ts'
import { fillLowWindows } from './fill-low-windows.ts'

const OVERDUE_AFTER_MS = MINUTE_MS

/**
 * Finds events and deliveries without a job by their own rows, and enqueues them again. Somebody may have deleted the
 * job, or it ran out of retries while the database was unavailable. Also enqueues held retries that have become due
 * while no other attempt of their webhook ended.
 */
export const recoverDeliveries = handle(job, (_payload, { signal }) =>
  isolateStoreFailures(async (runForStore) => {
    const dueBefore = inMs(-OVERDUE_AFTER_MS)
    for (const storeId of await findOverdueStores(dueBefore))
      await runForStore(storeId, () => recoverStore(storeId, dueBefore))
  }, signal),
)

async function recoverStore(storeId: string, dueBefore: Date): Promise<void> {
  const unpublished = await hasUnpublishedEvents(storeId)
  const deliveries = await inStore(storeId, async (tx) => {
    if (unpublished) await enqueue(tx, publishEvents, {})
    return holdLostDeliveries(tx, dueBefore)
  })
  await fillLowWindows(storeId)
  if (unpublished || deliveries) log.warn({ storeId, unpublished, deliveries }, 'overdue work had no job')
}
