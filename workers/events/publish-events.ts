import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import {
  findEvent,
  hasUnpublishedEvents,
  type PublishedEvent,
  publishNextEvents,
} from '#shared/platform/events/event-log.ts'
import { publishEvents as job } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { deleteUnfetchedJobs } from '#shared/platform/jobs/job-table.ts'
import { createDeliveries } from '#shared/webhooks/deliveries/create-deliveries.ts'
import { listeners } from '#workers/listeners.ts'
import { handle } from '#workers/platform/handle.ts'

const BATCH_SIZE = 200

/**
 * Publishes a store's next events in one transaction: they get their sequence numbers, their listeners run, and their
 * webhook deliveries are created.
 */
export const publishEvents = handle(job, async ({ storeId }) => {
  if (!(await hasUnpublishedEvents(storeId))) return
  // Every change enqueues a job, and the first one of a burst publishes all events. A job that can be seen here was
  // committed with its events, so the statements after this one see them.
  await deleteUnfetchedJobs(job.queue, storeId)
  await inStore(storeId, async (tx) => {
    const events = await publishNextEvents(tx, BATCH_SIZE, Object.keys(listeners))
    for (const event of events) await callListeners(tx, event)
    await createDeliveries(tx, events)
    if (events.length === BATCH_SIZE) await enqueue(tx, job, {})
  })
})

/** Calls the listeners of an event, whose data is read here when it is large: one at a time. */
async function callListeners(tx: StoreTx, event: PublishedEvent): Promise<void> {
  const listening = listeners[event.type]
  if (!listening) return
  const whole = event.data === null ? await findEvent(tx, event.id) : event
  if (!whole) throw new Error('A published event does not exist')
  for (const listen of listening) await listen(tx, whole)
}
