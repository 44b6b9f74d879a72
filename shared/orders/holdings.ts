import { giveCouponBack, takeCouponAgain } from '#shared/coupons/move-use.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { releaseVoucher } from '#shared/vouchers/release-voucher.ts'
import { reserveAgain } from '#shared/vouchers/reserve-voucher.ts'
import type { Order } from './order.ts'
import { STOCK_OF_STATUS } from './states.ts'
import { assertNoneShort } from './stock/assert-none-short.ts'
import { moveStock } from './stock/move-stock.ts'

// What an order that stands has for itself, so that nobody else gets it: a part of a voucher, stock, a use of a coupon.
// They come and go together, and are locked in this order; a checkout takes them first.

/**
 * Makes sure that an order, which the caller has locked, has all of it for that status: what was let go of meanwhile is
 * taken anew. Throws why it cannot be had: `checkout.insufficient_stock`, `coupon.usage_exceeded`, or what `reserveAgain`
 * throws of a voucher.
 */
export async function takeAgain(tx: StoreTx, order: Order, status: 'pending' | 'processing'): Promise<void> {
  await reserveAgain(tx, order)
  const stock = { orderId: order.id, ...STOCK_OF_STATUS[status] }
  await assertNoneShort(tx, order.id, await moveStock(tx, stock))
  if (order.couponCode !== null) await takeCouponAgain(tx, order.id)
}

/** Lets go of what an order, which the caller has locked, has of it; what is spent or gone changes nothing. */
export async function letGo(tx: StoreTx, order: Order): Promise<void> {
  await releaseVoucher(tx, order)
  await moveStock(tx, { orderId: order.id, ...STOCK_OF_STATUS.canceled })
  if (order.couponCode !== null) await giveCouponBack(tx, order.id)
}
