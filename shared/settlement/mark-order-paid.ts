import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { recordOfflinePayment } from '#shared/payments/capture/record-offline-payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'

/**
 * Marks an order as paid outside the gateway, e.g. by bank transfer or to the courier. Then books earlier refunds of
 * its other payments by the gateway or a bank. Throws like `recordOfflinePayment`.
 */
export async function markOrderPaid(
  tx: StoreTx,
  orderId: string,
  actor: OrderActor,
  note: string | null,
): Promise<void> {
  await recordOfflinePayment(tx, orderId, actor, { note })
  await bookExcess(tx, await lockOrder(tx, orderId))
}
