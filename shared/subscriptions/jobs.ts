import { Type } from 'typebox'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Makes the charge of a subscription that is due: its order, and the payment. */
export const chargeSubscription = defineJob(
  'charge-subscription',
  { subscriptionId: Type.String() },
  { concurrency: 16, perStore: 4 },
)

/** Applies the outcome of an order to the subscriptions that it charges. */
export const settleCharges = defineJob(
  'settle-charges',
  { orderId: Type.String() },
  { concurrency: 16, perStore: 4 },
)

/** Stops the subscriptions that an order charges, because its buyer disputes the payment. */
export const stopDisputed = defineJob('stop-disputed-subscriptions', { orderId: Type.String() })

/** Enqueues the charges of all stores that are due. */
export const enqueueDueCharges = definePlatformJob(
  'enqueue-due-charges',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)

/** Queues the mail that reminds a customer of the next charge of a subscription. */
export const remindSubscriber = defineJob('remind-subscriber', { subscriptionId: Type.String() })

/** Enqueues the reminders of all stores that are due. */
export const enqueueDueReminders = definePlatformJob(
  'enqueue-due-reminders',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)

/** Gives a batch of a plan's subscriptions its new price, and notifies their customers. */
export const applyPrice = defineJob('apply-price', { priceChangeId: Type.String() }, { perStore: 1 })
