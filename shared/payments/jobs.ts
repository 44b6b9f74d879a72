import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Opens a payment at its gateway, while the buyer waits. */
export const openPayment = defineJob(
  'open-payment',
  { paymentId: Type.String() },
  { concurrency: 8, perStore: 8, retryDelay: 1 },
)

/** Cancels a payment at its gateway. */
export const cancelPayment = defineJob('cancel-payment', { paymentId: Type.String() })

/** Fails an order that was not paid in its time. */
export const expireOrder = defineJob('expire-order', { orderId: Type.String() })

/** Cancels the payments of a canceled order. */
export const closePayments = defineJob('close-payments', { orderId: Type.String() })

/** Refunds a payment whose order no longer needs it. */
export const returnPayment = defineJob('return-payment', { paymentId: Type.String() }, { retries: 12 })

/** Applies a notification of a gateway. */
export const settleNotification = defineJob(
  'settle-notification',
  { provider: Type.String(), notificationId: Type.String() },
  { concurrency: 8, perStore: 8, retryDelay: 1 },
)
