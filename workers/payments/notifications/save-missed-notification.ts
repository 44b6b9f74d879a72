import { saveMissedNotification as job } from '#shared/payments/jobs.ts'
import { receiveNotification } from '#shared/payments/notifications/receive-notification.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'

/** Saves one notification. After the last attempt the job is a dead letter, which an operator can redrive. */
export const saveMissedNotification = handle(job, async ({ notificationId }) => {
  const notification = await stripeGateway().readNotification(notificationId)
  await receiveNotification({ provider: CARD_PROVIDER, ...notification })
})
