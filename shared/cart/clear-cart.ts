import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Cart } from './cart.ts'
import { CartItem } from './cart-item.ts'
import { CartVoucher } from './cart-voucher.ts'
import { lockCart } from './lock-cart.ts'
import type { CartHolder } from './open-cart.ts'

/** Takes every line out of the holder's cart, and its coupon off; the cart stays theirs. */
export async function clearCart(tx: StoreTx, holder: CartHolder): Promise<void> {
  const cartId = await lockCart(tx, holder)
  if (!cartId) return
  await CartItem.in(tx).where('cart_id', cartId).delete()
  await CartVoucher.in(tx).where('cart_id', cartId).delete()
  await Cart.in(tx).findById(cartId).patch({ couponCode: null })
}
