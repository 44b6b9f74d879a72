import { applyNotification } from '#shared/payments/jobs.ts'
import { locateStore } from '#shared/payments/payment-references.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { formatOf, type GatewayName } from './gateway-formats.ts'

/** A notification of a gateway. `object` is the changed object in the gateway's format. */
export interface GatewayNotification {
  provider: GatewayName
  id: string
  type: string
  object: Record<string, unknown>
}

/**
 * Saves a notification of a gateway in the store that it concerns, and enqueues the job that applies it. A repeat of an
 * unhandled notification enqueues the job again. A notification that is handled, has another type or concerns no store
 * here changes nothing.
 */
export async function receiveNotification(notification: GatewayNotification): Promise<void> {
  if (!formatOf(notification.provider).handledTypes.includes(notification.type)) return
  const storeId = await storeOf(notification)
  if (storeId) await inStore(storeId, (tx) => saveNotification(tx, notification))
}

/**
 * Returns the id of the store that a notification concerns: by the reference of its payment or card setup, or by its
 * metadata if the reference is not known yet.
 */
async function storeOf({ provider, object }: GatewayNotification): Promise<string | null> {
  const { reference, namedStoreId } = formatOf(provider).subjectOf(object)
  // Prefer the reference: at the gateway somebody can change metadata, but not a reference.
  const known = reference === null ? undefined : await locateStore(provider, reference)
  if (known) return known
  // Several installations may share a gateway account. The stores of the others are unknown here.
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
  if (unhandled) await enqueue(tx, applyNotification, { provider, notificationId: id })
}
