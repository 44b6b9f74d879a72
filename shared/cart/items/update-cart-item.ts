import { assertMaxTotal } from '#shared/cart/assert-max-total.ts'
import { assertTrialUnits } from '#shared/cart/assert-trial-units.ts'
import { type CartHolder, CartItem, lockCart } from '#shared/cart/cart.ts'
import { CartVoucher } from '#shared/cart/cart-voucher.ts'
import { type CartContents, loadCart } from '#shared/cart/read-cart.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'

/**
 * Sets the quantity, at least 1, of a line of the holder's cart. Throws `resource.not_found` for a line of another
 * cart, `cart.total_too_large` or `recurring_plan.too_many_trial_units` if a higher quantity exceeds the maximum, and
 * 422 for several of one gift voucher. A lower quantity is never refused, because prices may have risen since.
 */
export async function updateCartItem(
  tx: StoreTx,
  holder: CartHolder,
  itemId: string,
  quantity: number,
): Promise<CartContents> {
  const cartId = assertFound(await lockCart(tx, holder))
  const item = await CartItem.in(tx).findById(itemId).where('cart_id', cartId)
  if (!item) await assertOneVoucher(tx, cartId, itemId, quantity)
  else await CartItem.in(tx).findById(itemId).patch({ quantity })
  const cart = await loadCart(tx, cartId)
  if (item && quantity > item.quantity) {
    if (item.recurringPlanId) assertTrialUnits(cart.lines)
    assertMaxTotal(cart)
  }
  return cart
}

/** Throws unless the item is a gift voucher and the quantity is 1. */
async function assertOneVoucher(
  tx: StoreTx,
  cartId: string,
  itemId: string,
  quantity: number,
): Promise<void> {
  assertFound(await CartVoucher.in(tx).findById(itemId).where('cart_id', cartId))
  if (quantity > 1) throw invalid(['quantity'], 'A gift voucher is bought one at a time', quantity)
}
