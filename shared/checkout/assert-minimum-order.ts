import type { CartLine } from '#shared/cart/cart-line.ts'
import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import type { Totals } from '#shared/cart/price-cart.ts'
import { trialReductionMinor } from '#shared/cart/recurring-line.ts'
import { sum, toMajor } from '#shared/platform/money.ts'
import type { Store } from '#shared/stores/store.ts'
import { CheckoutErrors } from './errors.ts'

/**
 * Throws `checkout.min_order_not_met` for goods below the store's minimum order. Goods on trial count at their price
 * after the trial. Gift vouchers do not count, because they are money and their value may be refunded. An order of gift
 * vouchers alone and later charges of a subscription have no minimum.
 */
export function assertMinimumOrder(
  { minOrderTotalMinor, currency }: Store,
  { subtotalMinor, discountMinor }: Pick<Totals, 'subtotalMinor' | 'discountMinor'>,
  { lines, giftVouchers }: { lines: readonly CartLine[]; giftVouchers: readonly VoucherLine[] },
): void {
  if (lines.length === 0) return
  const vouchersMinor = sum(giftVouchers.map(({ amountMinor }) => amountMinor))
  const goodsMinor = subtotalMinor - vouchersMinor - discountMinor + trialReductionMinor(lines)
  if (goodsMinor >= minOrderTotalMinor) return
  throw CheckoutErrors.minOrderNotMet({
    minimum: toMajor(minOrderTotalMinor, currency),
    subtotal: toMajor(goodsMinor, currency),
    currency,
  })
}
