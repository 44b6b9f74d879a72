import { now } from '../platform/clock.ts'
import { toMinor } from '../platform/money.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { assertSellable } from '../vouchers/limits.ts'
import { refusalOf } from '../vouchers/refusal-of.ts'
import { assertPayable } from './assert-payable.ts'
import { CartVoucher } from './cart-voucher.ts'
import { CartErrors } from './errors.ts'
import { MOST_VOUCHERS } from './limits.ts'
import { type CartHolder, openCart } from './open-cart.ts'
import { loadCart, type PricedCart } from './read-cart.ts'

/** A gift voucher to buy, its fields named as the voucher's are. Amount in major units. */
export interface NewVoucher {
  amount: number
  to_name: string
  to_email: string
  from_name: string
  from_email: string
  voucher_theme_id?: string | null
  message?: string
}

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
  const amountMinor = toMinor(asked.amount, currency, ['body', 'voucher', 'amount'])
  assertSellable(amountMinor, currency)
  const { id: cartId, token } = await openCart(tx, holder)
  await CartVoucher.in(tx)
    .insert({
      cartId,
      amountMinor,
      fromName: asked.from_name,
      fromEmail: asked.from_email,
      toName: asked.to_name,
      toEmail: asked.to_email,
      message: asked.message ?? '',
      voucherThemeId: asked.voucher_theme_id ?? null,
      createdAt: now(),
    })
    .catch((error) => {
      throw refusalOf(error, ['body', 'voucher'])
    })
  const cart = await loadCart(tx, cartId)
  if (cart.vouchers.length > MOST_VOUCHERS) throw CartErrors.tooManyVouchers()
  assertPayable(cart)
  return { cart, token }
}
