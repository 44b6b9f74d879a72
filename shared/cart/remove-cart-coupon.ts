import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Cart, type CartHolder, lockCart } from './cart.ts'
import { type CartContents, EMPTY_CART, loadCart } from './read-cart.ts'

/** Removes the coupon of the holder's cart, and returns the cart. */
export async function removeCartCoupon(tx: StoreTx, holder: CartHolder): Promise<CartContents> {
  const cartId = await lockCart(tx, holder)
  if (!cartId) return EMPTY_CART
  await Cart.in(tx).findById(cartId).patch({ couponCode: null })
  return loadCart(tx, cartId)
}
