import { CommonErrors } from '../platform/errors.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { assertPayable } from './assert-payable.ts'
import { CartItem } from './cart-item.ts'
import { lockCart } from './lock-cart.ts'
import type { CartHolder } from './open-cart.ts'
import { loadCart, type PricedCart } from './read-cart.ts'

/** Sets the units of a line of the holder's cart; 0 removes it. Another cart's line is an unknown one: 404. */
export async function changeItem(
  tx: StoreTx,
  holder: CartHolder,
  itemId: string,
  quantity: number,
): Promise<PricedCart> {
  const cartId = await lockCart(tx, holder)
  if (!cartId) throw CommonErrors.notFound()
  const item = CartItem.in(tx).findById(itemId).where('cart_id', cartId)
  const changed = await (quantity > 0 ? item.patch({ quantity }) : item.delete())
  if (changed === 0) throw CommonErrors.notFound()
  const cart = await loadCart(tx, cartId)
  assertPayable(cart.lines)
  return cart
}
