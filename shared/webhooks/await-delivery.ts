import { inStore } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { showDelivery } from './show-delivery.ts'

/** A delivery once its attempt has a result, or as it is when `timeoutMs` have passed. Call it outside a transaction. */
export const awaitDelivery = (storeId: string, deliveryId: string, timeoutMs: number) =>
  waitUntilSettled(
    deliveryId,
    timeoutMs,
    () => inStore(storeId, (tx) => showDelivery(tx, deliveryId)),
    ({ status }) => status !== 'pending',
  )
