import { transitionOrder } from '#shared/orders/lifecycle/transition-order.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { releaseResources } from '#shared/orders/stock/resources.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Cancels an order that can no longer get its resources, and returns it. */
export async function cancelUnfulfillable(
  tx: StoreTx,
  order: LockedOrder,
  note: string,
): Promise<LockedOrder> {
  // Voucher or coupon may have been reserved before the stock failed.
  await releaseResources(tx, order)
  return transitionOrder(tx, order, { to: 'canceled', actor: 'system', note })
}
