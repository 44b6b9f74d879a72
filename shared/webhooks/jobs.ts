import { Type } from 'typebox'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

const payload = { deliveryId: Type.String() }

// Attempts after the first are jobs of their own, with their own pauses: the queue itself tries again only where a
// worker died or the database was away.
const rules = { retries: 10, retryDelay: 1, retryDelayMax: 30, expireIn: 30 }

/**
 * Sends an event to an endpoint that answers, and answers soon. Waiting for an answer costs next to nothing, so there
 * is room for many: it takes twenty stores that become slow in the same instant to fill it.
 */
export const deliverWebhook = defineJob('deliver-webhook', payload, {
  ...rules,
  concurrency: 640,
  perStore: 32,
})

/** The same for endpoints that failed or were slow the last time: they wait among themselves. */
export const deliverSlowWebhook = defineJob('deliver-slow-webhook', payload, {
  ...rules,
  concurrency: 200,
  perStore: 4,
})

/** Looks for events and deliveries that should have gone out by now, and sends them on their way again. */
export const requeueOverdue = definePlatformJob(
  'requeue-overdue',
  {},
  { concurrency: 1, retries: 2, expireIn: 300 },
)

/** Deletes deliveries whose time is over, store after store. */
export const purgeDeliveries = definePlatformJob(
  'purge-deliveries',
  {},
  { concurrency: 1, retries: 2, expireIn: 3600 },
)
