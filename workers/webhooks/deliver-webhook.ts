import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { deliverWebhook as job, deliverSlowWebhook as slowJob } from '#shared/webhooks/jobs.ts'
import { handle } from '#workers/platform/handle.ts'
import { attemptDelivery } from './attempt-delivery.ts'

// An event can have a megabyte, and a silent receiver holds it for 15 seconds. Without this limit, the jobs of a few
// stores fill the memory of the worker. The stores whose events wait take turns, and each has a quarter of the permits
// at most. The slow queue has a separate limit, so that slow receivers do not delay fast ones.
const large = { permits: 16, permitsPerGroup: 4, maxWaiting: 1_000 }
const fast = { isSlow: false, limitLarge: semaphore(large) }
const slow = { isSlow: true, limitLarge: semaphore(large) }

/** Makes one attempt at a fast webhook. A delivery whose webhook became slow moves to the slow queue instead. */
export const deliverWebhook = handle(job, (payload, run) => attemptDelivery(payload, run, fast))

/** Makes one attempt at a slow webhook. */
export const deliverSlowWebhook = handle(slowJob, (payload, run) => attemptDelivery(payload, run, slow))
