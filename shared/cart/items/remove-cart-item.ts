import { type CartHolder, CartItem, lockCart } from '#shared/cart/cart.ts'
import { CartVoucher } from '#shared/cart/cart-voucher.ts'
import { type CartContents, loadCart } from '#shared/cart/read-cart.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound, CommonErrors } from '#shared/platform/errors.ts'

/** Removes a line or a gift voucher of the holder's cart. Throws `resource.not_found` for a line of another cart. */
export async function removeCartItem(tx: StoreTx, holder: CartHolder, itemId: string): Promise<CartContents> {
  const cartId = assertFound(await lockCart(tx, holder))
  const line = { id: itemId, cart_id: cartId }
  const removed =
    (await CartItem.in(tx).where(line).delete()) || (await CartVoucher.in(tx).where(line).delete())
  if (!removed) throw CommonErrors.notFound()
  return loadCart(tx, cartId)
}
