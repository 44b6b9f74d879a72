import { inStore } from '#shared/platform/db/store-scope.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { requeueAttempt, usesSlowQueue } from '#shared/webhooks/deliveries/enqueue-attempts.ts'
import { type DueDelivery, findDueDelivery } from '#shared/webhooks/deliveries/find-due-delivery.ts'
import { deliverWebhook as job, deliverSlowWebhook as slowJob } from '#shared/webhooks/jobs.ts'
import { handle } from '#workers/platform/handle.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { markIfSlow } from './mark-if-slow.ts'

// An event can have a megabyte, and a silent receiver holds it for 15 seconds. Without this limit, the jobs of a few
// stores fill the memory of the worker. The stores whose events wait take turns, and each has a quarter of the permits
// at most. The slow queue has a separate limit, so that slow receivers do not delay fast ones.
const large = { permits: 16, permitsPerGroup: 4, maxWaiting: 1_000 }
const limitLargeOfFast = semaphore(large)
const limitLargeOfSlow = semaphore(large)

/** Makes one attempt at a fast webhook. A delivery whose webhook became slow moves to the slow queue instead. */
export const deliverWebhook = handle(job, async ({ storeId, deliveryId }, { jobId, signal }) => {
  const due = await findDueDelivery(storeId, deliveryId, jobId)
  if (!due || (await moveIfSlow(storeId, due))) return
  await attemptDelivery(storeId, due, {
    signal,
    limitLarge: limitLargeOfFast,
    runRequest: (request) => markIfSlow(storeId, due.webhook.id, request),
    // Move large events of a webhook that has become slow. Otherwise its jobs would wait for permits until they expire.
    mustMove: async () => {
      const waited = await findDueDelivery(storeId, deliveryId, jobId)
      return !waited || moveIfSlow(storeId, waited)
    },
  })
})

/** Moves a delivery of a slow webhook to the slow queue. Returns whether it did. */
async function moveIfSlow(storeId: string, due: DueDelivery): Promise<boolean> {
  if (!usesSlowQueue(due.webhook)) return false
  await inStore(storeId, (tx) => requeueAttempt(tx, due))
  return true
}

/** Makes one attempt at a slow webhook. */
export const deliverSlowWebhook = handle(slowJob, async ({ storeId, deliveryId }, { jobId, signal }) => {
  const due = await findDueDelivery(storeId, deliveryId, jobId)
  if (!due) return
  await attemptDelivery(storeId, due, {
    signal,
    limitLarge: limitLargeOfSlow,
    runRequest: (request) => request(),
    mustMove: async () => false,
  })
})
