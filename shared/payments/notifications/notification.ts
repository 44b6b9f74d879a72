import { settleNotification } from '#shared/payments/jobs.ts'
import { locateStore } from '#shared/payments/payment-references.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { isStripeEventType, type StripeEventType, subjectOf } from './stripe-events.ts'

/** A notification of a gateway. `object` is what changed, in the gateway's format. */
export interface GatewayNotification {
  provider: string
  id: string
  type: string
  object: Record<string, unknown>
}

/** A notification of a gateway that a store has saved. */
export interface SavedNotification {
  type: StripeEventType
  payload: unknown
}

/**
 * Saves a notification of a gateway in the store that it concerns, and enqueues the job that applies it. A repeat of a
 * notification that is not handled yet enqueues it again; one that is handled, of another type, or of no store here
 * changes nothing.
 */
export async function receiveNotification(notification: GatewayNotification): Promise<void> {
  if (!isStripeEventType(notification.type)) return
  const storeId = await storeOf(notification)
  if (storeId) await inStore(storeId, (tx) => saveNotification(tx, notification))
}

/**
 * The store of the payment or card setup that a notification is about. One whose reference is not known yet names its
 * store.
 */
async function storeOf({ provider, object }: GatewayNotification): Promise<string | null> {
  const { reference, namedStoreId } = subjectOf(object)
  // Metadata can be changed at the gateway; the reference of a payment cannot.
  const known = reference === null ? undefined : await locateStore(provider, reference)
  if (known) return known
  // Several installations may share a gateway account: the stores of the others are unknown here.
  return namedStoreId && isUuid(namedStoreId) && (await findStoreById(namedStoreId)) ? namedStoreId : null
}

async function saveNotification(
  tx: StoreTx,
  { provider, id, type, object }: GatewayNotification,
): Promise<void> {
  const key = { store_id: tx.storeId, provider, notification_id: id }
  await tx
    .knex('payment_notifications')
    .insert({ ...key, type, payload: JSON.stringify(object), received_at: now() })
    .onConflict()
    .ignore()
  const unhandled = await tx
    .knex('payment_notifications')
    .where(key)
    .whereNull('handled_at')
    .first('store_id')
  if (unhandled) await enqueue(tx, settleNotification, { provider, notificationId: id })
}

/** A notification of the store that is not handled yet. */
export const findUnhandledNotification = (
  tx: StoreTx,
  provider: string,
  id: string,
): PromiseLike<SavedNotification | undefined> =>
  tx
    .knex('payment_notifications')
    .where({ store_id: tx.storeId, provider, notification_id: id })
    .whereNull('handled_at')
    .first('type', 'payload')

/** Marks a notification as handled and returns it. Undefined when it was handled before. */
export async function claimNotification(
  tx: StoreTx,
  provider: string,
  id: string,
): Promise<SavedNotification | undefined> {
  const [claimed] = await tx
    .knex('payment_notifications')
    .where({ store_id: tx.storeId, provider, notification_id: id })
    .whereNull('handled_at')
    .update({ handled_at: now() })
    .returning(['type', 'payload'])
  return claimed
}
