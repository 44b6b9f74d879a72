import { Type } from 'typebox'
import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/**
 * For jobs that call a gateway. A charge makes up to four calls, and each can take twice the longest time-out. The
 * queue notices a dead worker by its heartbeat, long before the job expires.
 */
export const CALLS_GATEWAY = { expireInSeconds: 300 }

/** Opens a payment at its gateway, while the buyer waits. */
export const openPayment = defineJob(
  'open-payment',
  { paymentId: Uuid },
  { ...CALLS_GATEWAY, concurrency: 32, perStore: 8, retryDelaySeconds: 1 },
)

/** Charges a saved card without the buyer. */
export const chargeSavedCard = defineJob(
  'charge-saved-card',
  { paymentId: Uuid },
  { ...CALLS_GATEWAY, concurrency: 32, perStore: 8 },
)

/** Saves the card of a captured payment for later charges. */
export const saveCard = defineJob('save-card', { paymentId: Uuid }, CALLS_GATEWAY)

/** Opens a card setup at its gateway, while the buyer waits. */
export const openCardSetup = defineJob(
  'open-card-setup',
  { setupId: Uuid },
  { ...CALLS_GATEWAY, concurrency: 32, perStore: 8, retryDelaySeconds: 1 },
)

/**
 * Reads the status of a card setup at its gateway, and applies it. A setup that is canceled here is canceled there too.
 */
export const settleCardSetup = defineJob(
  'settle-card-setup',
  { setupId: Uuid },
  { ...CALLS_GATEWAY, retryDelaySeconds: 1 },
)

/**
 * Removes a saved card at its gateway, so that it can never be charged again. Only the job knows the card, so it is
 * retried through half a day's outage of the gateway.
 */
export const detachCard = defineJob(
  'detach-card',
  { provider: Type.String(), reference: Type.String() },
  { ...CALLS_GATEWAY, retries: 80 },
)

/** Cancels a payment at its gateway. */
export const cancelPayment = defineJob('cancel-payment', { paymentId: Uuid }, CALLS_GATEWAY)

/** Fails an order that was not paid in time. */
export const expireOrder = defineJob('expire-order', { orderId: Uuid }, CALLS_GATEWAY)

/** Enqueues the orders of all stores whose hold or time to pay has ended. */
export const enqueueDueOrders = definePlatformJob(
  'enqueue-due-orders',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)

/** Closes the payments and card setups of a canceled order, and pays back its mismatched payments. */
export const closePayments = defineJob('close-payments', { orderId: Uuid }, CALLS_GATEWAY)

/** Reads the status of a payment at its gateway, and applies it. */
export const readPayment = defineJob('read-payment', { paymentId: Uuid }, CALLS_GATEWAY)

/** Refunds a surplus: captured money that its order does not need. */
export const returnSurplus = defineJob('return-surplus', { surplusId: Uuid })

/**
 * Imports the refunds and disputes of a payment that were made before its reference was known here. Nothing else reads
 * them, so the job retries for half a day.
 */
export const importGatewayHistory = defineJob(
  'import-gateway-history',
  { paymentId: Uuid },
  { ...CALLS_GATEWAY, retries: 80 },
)

/** Enqueues lost work of payments in all stores: its notification or job never arrived. */
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

/** Saves one missed notification of the gateway that the list's reader could not save. */
export const saveMissedNotification = definePlatformJob(
  'save-missed-notification',
  { notificationId: Type.String() },
  { ...CALLS_GATEWAY, concurrency: 1 },
)

/** Applies a notification of a gateway. */
export const applyNotification = defineJob(
  'apply-notification',
  { provider: Type.String(), notificationId: Type.String() },
  { ...CALLS_GATEWAY, concurrency: 32, perStore: 8, retryDelaySeconds: 1 },
)
