import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { settleNotification } from './jobs.ts'

/** What a gateway tells that matters here. */
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

/** Something a gateway told, in its own words. */
export interface Notification {
  provider: string
  id: string
  type: NotificationType
  payload: unknown
}

/** Keeps what a gateway told, once, and has it done. A gateway tells the same thing until it is answered. */
export async function receiveNotification(
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

/** Takes a kept notification to be done in this transaction, once; undefined when it was done before. */
export async function takeNotification(
  tx: StoreTx,
  provider: string,
  id: string,
): Promise<Pick<Notification, 'type' | 'payload'> | undefined> {
  const [taken] = await tx
    .knex('payment_notifications')
    .where({ store_id: tx.storeId, provider, notification_id: id })
    .whereNull('handled_at')
    .update({ handled_at: now() })
    .returning(['type', 'payload'])
  return taken
}
