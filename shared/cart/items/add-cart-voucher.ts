import { assertMaxTotal } from '#shared/cart/assert-max-total.ts'
import type { CartHolder } from '#shared/cart/cart.ts'
import { CartVoucher } from '#shared/cart/cart-voucher.ts'
import { CartErrors } from '#shared/cart/errors.ts'
import { MAX_VOUCHERS } from '#shared/cart/limits.ts'
import { openCart } from '#shared/cart/open-cart.ts'
import { type CartContents, loadCart } from '#shared/cart/read-cart.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { toVoucherError } from '#shared/vouchers/errors.ts'
import { assertSellable, type Gift } from '#shared/vouchers/gift.ts'

/** A gift voucher to buy. The amount is in minor units of the store's currency. */
export type CartVoucherInput = Omit<Gift, 'voucherThemeId' | 'message'> &
  Partial<Gift> & { amountMinor: bigint }

/**
 * Adds a gift voucher to the holder's cart as a separate line. Returns the cart with prices. Throws
 * `voucher.amount_out_of_range`, `cart.voucher_limit_reached` and `cart.total_too_large`.
 */
export async function addCartVoucher(
  tx: StoreTx,
  currency: string,
  holder: CartHolder,
  voucher: CartVoucherInput,
): Promise<{ cart: CartContents; token: string | undefined }> {
  assertSellable(voucher.amountMinor, currency)
  const { id: cartId, token } = await openCart(tx, holder)
  await CartVoucher.in(tx)
    .insert({
      message: '',
      voucherThemeId: null,
      ...voucher,
      cartId,
      createdAt: now(),
    })
    .catch((error) => {
      throw toVoucherError(error, ['voucher'])
    })
  const cart = await loadCart(tx, cartId)
  if (cart.giftVouchers.length > MAX_VOUCHERS) throw CartErrors.voucherLimitReached()
  assertMaxTotal(cart)
  return { cart, token }
}
