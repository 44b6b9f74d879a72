import { readMissedNotifications as job, saveMissedNotification } from '#shared/payments/jobs.ts'
import { NOTIFICATION_OVERLAP_MS } from '#shared/payments/notification-overlap-ms.ts'
import { formatOf } from '#shared/payments/notifications/gateway-formats.ts'
import {
  readNotificationCursor,
  saveNotificationCursor,
} from '#shared/payments/notifications/notification-cursor.ts'
import { receiveNotification } from '#shared/payments/notifications/receive-notification.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import { enqueueForPlatform } from '#shared/platform/jobs/enqueue.ts'
import { withoutPendingJob } from '#shared/platform/jobs/pending-jobs.ts'
import { log } from '#shared/platform/log.ts'
import { HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import type { ListedNotification } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'

/** The first run reads the notifications of the last 24 hours. */
const FIRST_RUN_MS = 24 * HOUR_MS

/**
 * Reads the gateway's list of notifications, so that one whose webhook was lost or refused is applied within minutes. A
 * notification that was already received changes nothing. One that the gateway's list cannot convert is only logged.
 */
export const readMissedNotifications = handle(job, async () => {
  const startedAt = now()
  const readUntil = await readNotificationCursor(CARD_PROVIDER)
  const since = readUntil ? new Date(readUntil.getTime() - NOTIFICATION_OVERLAP_MS) : inMs(-FIRST_RUN_MS)
  const unsaved = await saveSince(since)
  // A notification that cannot be saved does not stop the others. Its own job retries, and becomes a dead letter in the
  // end.
  for (const payload of await withoutPendingJob(saveMissedNotification.queue, unsaved))
    await enqueueForPlatform(saveMissedNotification, payload)
  await saveNotificationCursor(CARD_PROVIDER, startedAt)
})

/** Saves the notifications since a time. Returns the ids of those that could not be saved. */
async function saveSince(since: Date): Promise<{ notificationId: string }[]> {
  const types = formatOf(CARD_PROVIDER).handledTypes
  const unsaved: { notificationId: string }[] = []
  for await (const notification of stripeGateway().listNotifications({ since, types }))
    if (!(await trySave(notification))) unsaved.push({ notificationId: notification.id })
  return unsaved
}

/** Saves a notification. Returns whether this succeeded. */
async function trySave(notification: ListedNotification): Promise<boolean> {
  const { id, type } = notification
  try {
    await receiveNotification({ provider: CARD_PROVIDER, ...notification })
    return true
  } catch (error) {
    log.error({ err: error, notificationId: id, type }, 'a notification of the gateway was not saved')
    return false
  }
}
