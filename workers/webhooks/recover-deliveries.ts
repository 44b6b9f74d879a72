import { inStore } from '#shared/platform/db/store-scope.ts'
import { hasUnpublishedEvents } from '#shared/platform/events/event-log.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { log } from '#shared/platform/log.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { findOverdueStores } from '#shared/webhooks/deliveries/find-overdue-stores.ts'
import { requeueDeliveries } from '#shared/webhooks/deliveries/requeue-deliveries.ts'
import { recoverDeliveries as job } from '#shared/webhooks/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

const OVERDUE_AFTER_MS = MINUTE_MS

/**
 * Finds events and deliveries that lost their job (deleted by hand, or out of retries while the database was
 * unavailable) by their own rows, and enqueues them again.
 */
export const recoverDeliveries = handle(job, async () => {
  const dueBefore = inMs(-OVERDUE_AFTER_MS)
  for (const storeId of await findOverdueStores(dueBefore)) {
    const unpublished = await hasUnpublishedEvents(storeId)
    const deliveries = await inStore(storeId, async (tx) => {
      if (unpublished) await enqueue(tx, publishEvents, {})
      return requeueDeliveries(tx, dueBefore)
    })
    if (unpublished || deliveries) log.warn({ storeId, unpublished, deliveries }, 'overdue work had no job')
  }
})
