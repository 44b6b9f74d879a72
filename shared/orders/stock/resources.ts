import { releaseCouponUse, restoreCouponUse } from '#shared/coupons/coupon-use.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { releaseTrialUses, restoreTrialUses } from '#shared/recurring-plans/trial-use.ts'
import { releaseVoucher } from '#shared/vouchers/redemptions/end-reservation.ts'
import { restoreReservation } from '#shared/vouchers/redemptions/reserve-voucher.ts'
import { restockOrder, transitionOrderStock } from './order-stock.ts'

// The resources of an open order are a part of a voucher's balance, a use of a coupon, trials of plans, and stock. They
// are reserved and released together. They are locked in this sequence, as in a checkout.

/** Whether an order is the first charge of subscriptions. Later charges use no trials. */
const startsSubscriptions = ({ chargeNo }: LockedOrder): boolean => chargeNo === 1

/**
 * Reserves the released resources of an order again. Throws if one is gone: a voucher error of `restoreReservation`,
 * `coupon.usage_exceeded`, `recurring_plan.trial_used` or `checkout.insufficient_stock`.
 */
export async function reserveResources(
  tx: StoreTx,
  order: LockedOrder,
  status: 'pending' | 'processing',
): Promise<void> {
  await restoreReservation(tx, order)
  if (order.couponCode !== null) await restoreCouponUse(tx, order.id)
  if (startsSubscriptions(order)) await restoreTrialUses(tx, order.id)
  await transitionOrderStock(tx, order, status)
}

/**
 * Releases the reserved resources of an order. Spent and released ones stay. `restock` puts its shipped units back on
 * hand.
 */
export async function releaseResources(
  tx: StoreTx,
  order: LockedOrder,
  { restock = false }: { restock?: boolean } = {},
): Promise<void> {
  await releaseVoucher(tx, order)
  if (order.couponCode !== null) await releaseCouponUse(tx, order.id)
  // The subscription of a paid first order goes on with its trial, even if the order is canceled.
  if (startsSubscriptions(order) && order.awaitsPayment) await releaseTrialUses(tx, order.id)
  await transitionOrderStock(tx, order, 'canceled')
  if (restock) await restockOrder(tx, order)
}
