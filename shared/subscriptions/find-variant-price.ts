import { findUnitPrices } from '#shared/catalog/variants/find-unit-prices.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Subscription } from './subscription.ts'

/** The price of a unit, in minor units, and the quantity that it needs. */
export interface VariantPrice {
  unitPriceMinor: bigint
  /** 1 without a quantity discount. */
  priceQuantity: number
}

/**
 * Returns the current price of one unit of a subscription's variant: at the subscription's quantity, and for the
 * customer's group. Undefined if the variant is gone.
 */
export async function findVariantPrice(
  tx: StoreTx,
  subscription: Pick<Subscription, 'variantId' | 'customerId' | 'quantity'>,
): Promise<VariantPrice | undefined> {
  const { quantity } = subscription
  const prices = await findUnitPrices(tx, subscription, [1, quantity])
  const unitPriceMinor = prices.get(quantity)
  if (unitPriceMinor === undefined) return undefined
  return { unitPriceMinor, priceQuantity: prices.get(1) === unitPriceMinor ? 1 : quantity }
}
