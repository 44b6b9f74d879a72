import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Cart, type CartHolder, CartItem, lockCart } from './cart.ts'
import { CartVoucher } from './cart-voucher.ts'

/** Removes all lines, the coupon and the metadata of the holder's cart. The cart stays. */
export async function clearCart(tx: StoreTx, holder: CartHolder): Promise<void> {
  const cartId = await lockCart(tx, holder)
  if (!cartId) return
  await CartItem.in(tx).where('cart_id', cartId).delete()
  await CartVoucher.in(tx).where('cart_id', cartId).delete()
  await Cart.in(tx).findById(cartId).patch({ couponCode: null, metadata: {} })
}
