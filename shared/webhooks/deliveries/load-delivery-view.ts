import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import type { RightsHolder } from '#shared/staff/rights.ts'
import { findAttempts } from '#shared/webhooks/attempts/attempt.ts'
import { WebhookDelivery } from './delivery.ts'
import { viewDelivery } from './view.ts'

/** Returns the view of a delivery with its attempts for `reader`. Throws `resource.not_found`. */
export async function loadDeliveryView(tx: StoreTx, id: string, reader: RightsHolder) {
  const delivery = assertFound(await WebhookDelivery.in(tx).findById(id))
  const attempts = await findAttempts(tx, [id])
  return viewDelivery(delivery, attempts, reader)
}

/** Waits up to `timeoutMs` for the result of a delivery and returns its view. Call it outside a transaction. */
export const awaitDelivery = (storeId: string, deliveryId: string, timeoutMs: number, reader: RightsHolder) =>
  waitUntilSettled(
    deliveryId,
    timeoutMs,
    () => inStore(storeId, (tx) => loadDeliveryView(tx, deliveryId, reader)),
    ({ status }) => status !== 'pending',
  )
