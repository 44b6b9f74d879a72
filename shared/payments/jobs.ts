import { Type } from 'typebox'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Opens a payment at its gateway. The buyer waits for it. */
export const openPayment = defineJob(
  'open-payment',
  { paymentId: Type.String() },
  { concurrency: 8, perStore: 8, retryDelay: 1 },
)

/** Tells the gateway that a payment is not wanted any more. */
export const cancelPayment = defineJob('cancel-payment', { paymentId: Type.String() })

/** Gives up an order that was not paid in its time. */
export const expireOrder = defineJob('expire-order', { orderId: Type.String() })

/** Ends what a buyer could still pay of an order that is canceled. */
export const closePayments = defineJob('close-payments', { orderId: Type.String() })

/** Sends money back that nobody was to take any more. */
export const returnPayment = defineJob('return-payment', { paymentId: Type.String() }, { retries: 12 })

/** Does what a gateway told. */
export const settleNotification = defineJob(
  'settle-notification',
  { provider: Type.String(), notificationId: Type.String() },
  { concurrency: 8, perStore: 8, retryDelay: 1 },
)
