import { CouponErrors } from '#shared/coupons/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { foldCase } from '#shared/platform/text.ts'
import { Cart, type CartHolder, lockCart } from './cart.ts'
import { applyToCart, findCartCoupon } from './cart-coupon.ts'
import { type CartContents, EMPTY_CART, loadCart } from './read-cart.ts'

/**
 * Applies a coupon to the holder's cart, in place of any other, and returns the cart. Throws the `coupon.…` error of
 * the first unmet condition. Without a cart no coupon applies.
 */
export async function applyCartCoupon(tx: StoreTx, holder: CartHolder, code: string): Promise<CartContents> {
  const cartId = await lockCart(tx, holder)
  const cart = cartId ? await loadCart(tx, cartId) : EMPTY_CART
  const coupon = await findCartCoupon(tx, code, cart.lines, { customerId: holder.customerId, email: null })
  if (!coupon) throw CouponErrors.notFound()
  const { refusal } = applyToCart(coupon, cart.lines)
  if (refusal) throw refusal
  await Cart.in(tx)
    .where('id', cartId)
    .patch({ couponCode: foldCase(code) })
  return { ...cart, coupon }
}
