import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import {
  findEvent,
  hasUnpublishedEvents,
  type PublishedEvent,
  publishNextEvents,
} from '#shared/platform/events/event-log.ts'
import { publishEvents as job } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { deleteUnfetchedJobs } from '#shared/platform/jobs/waiting-jobs.ts'
import { createDeliveries } from '#shared/webhooks/deliveries/create-deliveries.ts'
import { listeners } from '#workers/listeners.ts'
import { handle } from '#workers/platform/handle.ts'
import { fillLowWindows } from '#workers/webhooks/fill-low-windows.ts'

const BATCH_SIZE = 200

/**
 * Publishes a store's next events in one transaction: assigns their sequence numbers, runs their listeners and creates
 * their webhook deliveries.
 */
export const publishEvents = handle(job, async ({ storeId }) => {
  if (!(await hasUnpublishedEvents(storeId))) return
  // Every change enqueues a job, and the first job of a burst publishes all events, so delete the others. A visible job
  // was committed with its events, so the next statements see these.
  await deleteUnfetchedJobs(job.queue, storeId)
  const isAnyHeld = await inStore(storeId, publishBatch)
  if (isAnyHeld) await fillLowWindows(storeId)
})

/** Publishes the next events. A full batch enqueues the next one. Returns whether deliveries are held. */
async function publishBatch(tx: StoreTx): Promise<boolean> {
  const events = await publishNextEvents(tx, BATCH_SIZE, [...listeners.keys()])
  for (const event of events) await callListeners(tx, event)
  const isAnyHeld = await createDeliveries(tx, events)
  if (events.length === BATCH_SIZE) await enqueue(tx, job, {})
  return isAnyHeld
}

/** Calls the listeners of an event one after the other. Reads the data of a large event first. */
async function callListeners(tx: StoreTx, event: PublishedEvent): Promise<void> {
  const listening = listeners.get(event.type)
  if (!listening) return
  const whole = event.data === null ? await findEvent(tx, event.id) : event
  if (!whole) throw new Error('A published event does not exist')
  for (const listen of listening) await listen(tx, whole)
}
