import { findUnitPrice } from '#shared/catalog/variants/find-unit-price.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Subscription } from './subscription.ts'

type Priced = Pick<Subscription, 'variantId' | 'customerId' | 'quantity'>

/** The price of a unit, in minor units, and the least quantity that it holds for; null: it holds for any quantity. */
export type SubscriptionPrice = Pick<Subscription, 'unitPriceMinor' | 'priceQuantity'>

/**
 * Returns the price of a unit by a plan: its own, or else the current price of the variant at the subscription's
 * quantity and for the customer's group. Undefined if the variant is gone.
 */
export async function priceOfPlan(
  tx: StoreTx,
  subscription: Priced,
  planPriceMinor: bigint | null,
): Promise<SubscriptionPrice | undefined> {
  if (planPriceMinor !== null) return { unitPriceMinor: planPriceMinor, priceQuantity: null }
  const price = await findUnitPrice(tx, subscription)
  return price && { unitPriceMinor: price.unitPriceMinor, priceQuantity: price.minQuantity }
}
