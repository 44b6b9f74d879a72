import type { CartHolder } from '#shared/cart/cart.ts'
import type { CartContents } from '#shared/cart/read-cart.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid, missing } from '#shared/platform/validation.ts'
import { addCartItem, type NewItem } from './add-cart-item.ts'
import { addCartVoucher, type CartVoucherInput } from './add-cart-voucher.ts'

/** Units of goods, or a gift voucher to buy. */
export interface CartAddition extends Partial<NewItem> {
  voucher?: CartVoucherInput
}

/**
 * Adds goods or a gift voucher to the holder's cart. Throws 422 unless it is one of a variant, a product and a voucher,
 * and the errors of `addCartItem` and `addCartVoucher`.
 */
export async function addToCart(
  tx: StoreTx,
  currency: string,
  holder: CartHolder,
  { voucher, quantity, ...goods }: CartAddition,
): Promise<{ cart: CartContents; token: string | undefined }> {
  const choices = [goods.variantId, goods.productId, voucher].filter((choice) => choice !== undefined)
  if (choices.length !== 1) throw invalid([], 'Send one of variant_id, product_id and voucher')
  if (!voucher) {
    if (quantity === undefined) throw missing(['quantity'])
    return addCartItem(tx, holder, { ...goods, quantity })
  }
  if (goods.recurringPlanId) throw invalid(['recurring_plan_id'], 'A gift voucher is bought once')
  if (quantity !== undefined && quantity !== 1)
    throw invalid(['quantity'], 'A gift voucher is bought one at a time', quantity)
  return addCartVoucher(tx, currency, holder, voucher)
}
