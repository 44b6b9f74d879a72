import { readMissedNotifications as job, saveMissedNotification } from '#shared/payments/jobs.ts'
import { receiveNotification } from '#shared/payments/notifications/notification.ts'
import {
  readNotificationCursor,
  saveNotificationCursor,
} from '#shared/payments/notifications/notification-cursor.ts'
import { STRIPE_EVENT_TYPES } from '#shared/payments/notifications/stripe-events.ts'
import { enqueueForPlatform } from '#shared/platform/jobs/enqueue.ts'
import { withoutPendingJob } from '#shared/platform/jobs/job-table.ts'
import { log } from '#shared/platform/log.ts'
import { HOUR_MS, inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import type { ListedNotification } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe.ts'
import { handle } from '#workers/platform/handle.ts'

const PROVIDER = 'stripe'

/** A notification can appear in the list some time after the moment of its creation. */
const OVERLAP_MS = 5 * MINUTE_MS

/** The first run reads the notifications of this time. */
const FIRST_RUN_MS = 24 * HOUR_MS

/**
 * Reads the gateway's list of notifications, so that one whose webhook was lost or refused is applied within minutes.
 * Those that were received before change nothing.
 */
export const readMissedNotifications = handle(job, async () => {
  const startedAt = now()
  const readUntil = await readNotificationCursor(PROVIDER)
  const since = readUntil ? new Date(readUntil.getTime() - OVERLAP_MS) : inMs(-FIRST_RUN_MS)
  const unsaved: { notificationId: string }[] = []
  for await (const notification of stripeGateway().listNotifications({ since, types: STRIPE_EVENT_TYPES }))
    if (!(await isSaved(notification))) unsaved.push({ notificationId: notification.id })
  // One that cannot be saved stops no other: its own job tries again, and is a dead letter in the end.
  for (const payload of await withoutPendingJob(saveMissedNotification.queue, unsaved))
    await enqueueForPlatform(saveMissedNotification, payload)
  await saveNotificationCursor(PROVIDER, startedAt)
})

async function isSaved(notification: ListedNotification): Promise<boolean> {
  const { id, type } = notification
  try {
    await receiveNotification({ provider: PROVIDER, ...notification })
    return true
  } catch (error) {
    log.error({ err: error, notificationId: id, type }, 'a notification of the gateway was not saved')
    return false
  }
}
