import { CouponErrors } from '#shared/coupons/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { foldCase } from '#shared/platform/text.ts'
import { Cart } from './cart.ts'
import { presentCoupon } from './cart-coupon.ts'
import { lockCart } from './lock-cart.ts'
import type { CartHolder } from './open-cart.ts'
import { loadCart, NO_CART, type PricedCart, priceWith } from './read-cart.ts'

/**
 * Puts a coupon on the holder's cart, in the place of one that is on it, and returns the cart priced with it. Throws
 * the errors of coupons (decisions, section 6). A holder without a cart has no goods that a coupon could be for.
 */
export async function putCouponOn(tx: StoreTx, holder: CartHolder, code: string): Promise<PricedCart> {
  const cartId = await lockCart(tx, holder)
  const cart = cartId ? await loadCart(tx, cartId) : NO_CART
  const coupon = await presentCoupon(tx, code, cart.lines, { customerId: holder.customerId, email: null })
  if (!coupon) throw CouponErrors.notFound()
  if (coupon.refusal) throw coupon.refusal
  await Cart.in(tx)
    .where('id', cartId)
    .patch({ couponCode: foldCase(code) })
  return priceWith(cart, coupon)
}

/** Takes the coupon off the holder's cart, if there is one, and returns the cart priced without it. */
export async function takeCouponOff(tx: StoreTx, holder: CartHolder): Promise<PricedCart> {
  const cartId = await lockCart(tx, holder)
  if (!cartId) return NO_CART
  await Cart.in(tx).findById(cartId).patch({ couponCode: null })
  return loadCart(tx, cartId)
}
