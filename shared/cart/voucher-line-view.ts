import { Money, Shape } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { giftProperties, viewGift } from '#shared/vouchers/gift.ts'
import { VOUCHER_SKU, voucherName } from '#shared/vouchers/name.ts'
import type { VoucherLine } from './cart-voucher.ts'

/** A gift voucher that is to be bought. Of its line, `product_id`, `variant_id` and `variant` are null. */
export const CartVoucherView = Shape({
  amount: Money,
  ...giftProperties,
})

/** The line of a cart that such a voucher is. */
export function viewVoucherLine(voucher: VoucherLine, currency: string, language: string) {
  const amount = toMajor(voucher.amountMinor, currency)
  return {
    id: voucher.id,
    product_id: null,
    variant_id: null,
    name: voucherName(language),
    sku: VOUCHER_SKU,
    quantity: 1,
    unit_price: amount,
    line_total: amount,
    discount_total: 0,
    tax_total: 0,
    image_url: voucher.imageUrl,
    available: true,
    variant: null,
    voucher: { amount, ...viewGift(voucher) },
  }
}
