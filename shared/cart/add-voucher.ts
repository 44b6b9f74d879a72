import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Gift } from '#shared/vouchers/gift.ts'
import { assertSellable } from '#shared/vouchers/limits.ts'
import { refusalOf } from '#shared/vouchers/refusal-of.ts'
import { assertPayable } from './assert-payable.ts'
import { CartVoucher } from './cart-voucher.ts'
import { CartErrors } from './errors.ts'
import { MOST_VOUCHERS } from './limits.ts'
import { type CartHolder, openCart } from './open-cart.ts'
import { loadCart, type PricedCart } from './read-cart.ts'

/** A gift voucher to buy. Amount in minor units of the store's currency. */
export type NewVoucher = Omit<Gift, 'voucherThemeId' | 'message'> & Partial<Gift> & { amountMinor: bigint }

/**
 * Puts a gift voucher into the holder's cart, as a line of its own, and returns the cart priced. Throws
 * `voucher.amount_out_of_range`, `cart.too_many_vouchers` and `cart.total_too_large`.
 */
export async function addVoucher(
  tx: StoreTx,
  currency: string,
  holder: CartHolder,
  asked: NewVoucher,
): Promise<{ cart: PricedCart; token: string | undefined }> {
  assertSellable(asked.amountMinor, currency)
  const { id: cartId, token } = await openCart(tx, holder)
  await CartVoucher.in(tx)
    .insert({
      message: '',
      voucherThemeId: null,
      ...asked,
      cartId,
      createdAt: now(),
    })
    .catch((error) => {
      throw refusalOf(error, ['voucher'])
    })
  const cart = await loadCart(tx, cartId)
  if (cart.vouchers.length > MOST_VOUCHERS) throw CartErrors.tooManyVouchers()
  assertPayable(cart)
  return { cart, token }
}
