import { CouponErrors } from '#shared/coupons/errors.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { transitionOrder } from '#shared/orders/status/transition-order.ts'
import { releaseResources, reserveResources } from '#shared/orders/stock/resources.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { readStore } from '#shared/stores/store.ts'

/**
 * Allocates stock, voucher and coupon of an order. Returns the reason when one is not available, or when nobody can
 * serve the order any more; otherwise null.
 */
export async function reserveForPaidOrder(tx: StoreTx, order: LockedOrder): Promise<string | null> {
  // A payment that was open at the deletion can still be captured.
  if ((await readStore(tx)).status === 'deleted') return 'the store was deleted'
  try {
    await reserveResources(tx, order, 'processing')
    return null
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    if (error.code === StockErrors.insufficient.kind.code) return 'the stock was sold'
    if (error.code === CouponErrors.usageExceeded.kind.code) return 'the coupon was used up'
    return 'the voucher was spent elsewhere'
  }
}

/** Cancels an order that cannot get its resources any more. */
export async function cancelUnservable(tx: StoreTx, order: LockedOrder, note: string): Promise<void> {
  // Some of voucher, stock and coupon may have been reserved before the one that failed.
  await releaseResources(tx, order)
  await transitionOrder(tx, order, { to: 'canceled', actor: 'system', note })
}
