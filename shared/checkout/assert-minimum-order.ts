import type { CartLine } from '#shared/cart/cart-line.ts'
import type { Totals } from '#shared/cart/price-cart.ts'
import { trialReductionMinor } from '#shared/cart/recurring-line.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Store } from '#shared/stores/store.ts'
import { CheckoutErrors } from './errors.ts'

/**
 * Throws `checkout.min_order_not_met` for goods below the store's minimum order. Goods on trial count at their price
 * after the trial. Later charges of a subscription have no minimum.
 */
export function assertMinimumOrder(
  { minOrderTotalMinor, currency }: Store,
  { subtotalMinor, discountMinor }: Pick<Totals, 'subtotalMinor' | 'discountMinor'>,
  lines: readonly CartLine[],
): void {
  const goodsMinor = subtotalMinor - discountMinor + trialReductionMinor(lines)
  if (goodsMinor >= minOrderTotalMinor) return
  throw CheckoutErrors.minOrderNotMet({
    minimum: toMajor(minOrderTotalMinor, currency),
    subtotal: toMajor(goodsMinor, currency),
    currency,
  })
}
