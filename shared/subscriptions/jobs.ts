import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Makes the due charge of a subscription: its order and payment. */
export const chargeSubscription = defineJob(
  'charge-subscription',
  { subscriptionId: Uuid },
  { concurrency: 16, perStore: 4 },
)

/** Applies the outcome of an order to the subscriptions that it charges. */
export const settleCharges = defineJob('settle-charges', { orderId: Uuid }, { concurrency: 16, perStore: 4 })

/**
 * Stops the subscriptions that an order charges, after its buyer disputed the payment. It waits for a charge that is
 * under way at the gateway. Nothing else stops them, so the job retries for half a day.
 */
export const stopDisputedSubscriptions = defineJob(
  'stop-disputed-subscriptions',
  { orderId: Uuid },
  { retries: 80 },
)

/** Enqueues the due charges of all stores. */
export const enqueueDueCharges = definePlatformJob(
  'enqueue-due-charges',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)

/** Reminds a customer by mail of a subscription's next charge. */
export const remindSubscriber = defineJob('remind-subscriber', { subscriptionId: Uuid })

/** Enqueues the due reminders of all stores. */
export const enqueueDueReminders = definePlatformJob(
  'enqueue-due-reminders',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)

/** Announces a plan's new price to a batch of its subscriptions, and queues the mails to their customers. */
export const announcePrices = defineJob('announce-prices', { priceChangeId: Uuid }, { perStore: 1 })
