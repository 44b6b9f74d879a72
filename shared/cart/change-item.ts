import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'
import { assertPayable } from './assert-payable.ts'
import { CartItem } from './cart-item.ts'
import { CartVoucher } from './cart-voucher.ts'
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
  if (changed === 0) await changeVoucher(tx, cartId, itemId, quantity)
  const cart = await loadCart(tx, cartId)
  assertPayable(cart)
  return cart
}

/** A gift voucher stays as it is, or goes: each is one of a kind. */
async function changeVoucher(tx: StoreTx, cartId: string, itemId: string, quantity: number): Promise<void> {
  const voucher = await CartVoucher.in(tx).findById(itemId).where('cart_id', cartId)
  if (!voucher) throw CommonErrors.notFound()
  if (quantity > 1) throw invalid(['quantity'], 'A gift voucher is bought one at a time', quantity)
  if (quantity === 0) await CartVoucher.in(tx).deleteById(itemId)
}
