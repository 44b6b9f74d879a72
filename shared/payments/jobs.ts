import { Type } from 'typebox'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Opens a payment at its gateway, while the buyer waits. */
export const openPayment = defineJob(
  'open-payment',
  { paymentId: Type.String() },
  { concurrency: 32, perStore: 8, retryDelaySeconds: 1 },
)

/** Charges a saved card without the buyer. */
export const chargeSavedCard = defineJob(
  'charge-saved-card',
  { paymentId: Type.String() },
  { concurrency: 32, perStore: 8 },
)

/** Saves the card of a captured payment for later charges. */
export const saveCard = defineJob('save-card', { paymentId: Type.String() })

/** Opens a card setup at its gateway, while the buyer waits. */
export const openCardSetup = defineJob(
  'open-card-setup',
  { setupId: Type.String() },
  { concurrency: 32, perStore: 8, retryDelaySeconds: 1 },
)

/**
 * Reads the status of a card setup at its gateway, and applies it. One that is canceled here is canceled there, too.
 */
export const settleCardSetup = defineJob(
  'settle-card-setup',
  { setupId: Type.String() },
  { retryDelaySeconds: 1 },
)

/** Removes a saved card at its gateway: it can never be charged again. */
export const detachCard = defineJob('detach-card', { provider: Type.String(), reference: Type.String() })

/** Cancels a payment at its gateway. */
export const cancelPayment = defineJob('cancel-payment', { paymentId: Type.String() })

/** Fails an order that was not paid in its time. */
export const expireOrder = defineJob('expire-order', { orderId: Type.String() })

/** Cancels the payments of a canceled order. */
export const closePayments = defineJob('close-payments', { orderId: Type.String() })

/** Reads the status of a payment at its gateway, and applies it. */
export const readPayment = defineJob('read-payment', { paymentId: Type.String() })

/** Refunds a surplus: money that was captured and that its order does not need. */
export const returnSurplus = defineJob('return-surplus', { surplusId: Type.String() })

/**
 * Books the refunds and disputes of a payment from before the gateway's reference of it was known here. Nothing else
 * reads them, so the job retries for half a day.
 */
export const readEarlierRefunds = defineJob(
  'read-earlier-refunds',
  { paymentId: Type.String() },
  { retries: 80 },
)

/** Enqueues the work of payments that has lost its notification or job, in all stores. */
export const recoverPayments = definePlatformJob(
  'recover-payments',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)

/** Reads the notifications of the gateway that its webhook did not deliver. */
export const readMissedNotifications = definePlatformJob(
  'read-missed-notifications',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)

/** Saves one notification of the gateway that could not be saved when its list was read. */
export const saveMissedNotification = definePlatformJob(
  'save-missed-notification',
  { notificationId: Type.String() },
  { concurrency: 1 },
)

/** Applies a notification of a gateway. */
export const settleNotification = defineJob(
  'settle-notification',
  { provider: Type.String(), notificationId: Type.String() },
  { concurrency: 32, perStore: 8, retryDelaySeconds: 1 },
)
