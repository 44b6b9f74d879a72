import type { CartLine } from '#shared/cart/cart-line.ts'
import { ShippingMethodErrors } from '#shared/shipping-methods/errors.ts'
import { acceptsWeight } from '#shared/shipping-methods/offered-method.ts'
import type { SaleRules } from './find-sale-rules.ts'

/**
 * Throws `checkout.shipping_unavailable` if the shipping method is not offered or does not carry the weight of the
 * lines.
 */
export function assertShips({ shipping }: Pick<SaleRules, 'shipping'>, lines: readonly CartLine[]): void {
  if (lines.length > 0 && (!shipping || !acceptsWeight(shipping, totalWeightGrams(lines))))
    throw ShippingMethodErrors.unavailable()
}

/** Returns the weight of lines. A variant without a weight counts as 0. */
export const totalWeightGrams = (lines: readonly CartLine[]): number =>
  lines.reduce((grams, { sellable, quantity }) => grams + (sellable.weightGrams ?? 0) * quantity, 0)
