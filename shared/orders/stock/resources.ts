import { releaseCouponUse, restoreCouponUse } from '#shared/coupons/coupon-use.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { releaseVoucher } from '#shared/vouchers/redemptions/end-reservation.ts'
import { restoreReservation } from '#shared/vouchers/redemptions/reserve-voucher.ts'
import type { LockedOrder } from '../order.ts'
import { restockOrder, transitionOrderStock } from './order-stock.ts'

// The resources of an open order: a part of a voucher's balance, a use of a coupon, stock. They are reserved and
// released together, and locked in this order, as in a checkout.

/**
 * Makes sure that an order has its resources for that status: released ones are reserved again. Throws the reason when
 * one is gone: a voucher error of `restoreReservation`, `coupon.usage_exceeded` or `checkout.insufficient_stock`.
 */
export async function reserveResources(
  tx: StoreTx,
  order: LockedOrder,
  status: 'pending' | 'processing',
): Promise<void> {
  await restoreReservation(tx, order)
  if (order.couponCode !== null) await restoreCouponUse(tx, order.id)
  await transitionOrderStock(tx, order, status)
}

/**
 * Releases the resources of an order. Spent or released ones stay as they are. `restock`: its shipped units were
 * returned and are on hand again.
 */
export async function releaseResources(
  tx: StoreTx,
  order: LockedOrder,
  { restock = false }: { restock?: boolean } = {},
): Promise<void> {
  await releaseVoucher(tx, order)
  if (order.couponCode !== null) await releaseCouponUse(tx, order.id)
  await transitionOrderStock(tx, order, 'canceled')
  if (restock) await restockOrder(tx, order)
}
