import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { settleNotification } from './jobs.ts'

/** The types of notifications that this service handles. */
const NOTIFICATION_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

export const isNotificationType = (type: string): type is NotificationType =>
  (NOTIFICATION_TYPES as readonly string[]).includes(type)

/** A webhook event of a gateway. The payload has the gateway's format. */
export interface Notification {
  provider: string
  id: string
  type: NotificationType
  payload: unknown
}

/** Saves a notification and enqueues the job that applies it, once: a gateway repeats one until it gets a 200. */
export async function saveNotification(
  tx: StoreTx,
  { provider, id, type, payload }: Notification,
): Promise<void> {
  const inserted = await tx
    .knex('payment_notifications')
    .insert({
      store_id: tx.storeId,
      provider,
      notification_id: id,
      type,
      payload: JSON.stringify(payload),
      received_at: now(),
    })
    .onConflict()
    .ignore()
    .returning('notification_id')
  if (inserted.length) await enqueue(tx, settleNotification, { provider, notificationId: id })
}

/** Marks a notification as handled and returns it. Undefined when it was handled before. */
export async function claimNotification(
  tx: StoreTx,
  provider: string,
  id: string,
): Promise<Pick<Notification, 'type' | 'payload'> | undefined> {
  const [claimed] = await tx
    .knex('payment_notifications')
    .where({ store_id: tx.storeId, provider, notification_id: id })
    .whereNull('handled_at')
    .update({ handled_at: now() })
    .returning(['type', 'payload'])
  return claimed
}
