import { inStore } from '#shared/platform/db/store-scope.ts'
import { hasUnpublishedEvents, publishNextEvents } from '#shared/platform/events/event-log.ts'
import { publishEvents as job } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { deliverEvents } from '#shared/webhooks/deliver-events.ts'
import { listeners } from '#workers/listeners.ts'
import { handle } from '#workers/platform/handle.ts'

const BATCH = 200

/**
 * The relay. In one transaction a store's next events get their place in its sequence, their listeners run, and their
 * deliveries and the jobs of those are written: all of it happened, or none and the job tries again.
 */
export const publishEvents = handle(job, async ({ storeId }) => {
  // Every change sends a job, and the first of a burst publishes for all: most others find nothing left to do.
  if (!(await hasUnpublishedEvents(storeId))) return
  await inStore(storeId, async (tx) => {
    const events = await publishNextEvents(tx, BATCH)
    for (const event of events) for (const listen of listeners[event.type] ?? []) await listen(tx, event)
    await deliverEvents(tx, events)
    if (events.length === BATCH) await enqueue(tx, job, {})
  })
})
