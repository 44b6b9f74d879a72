import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller } from '#shared/platform/money.ts'
import { priceOfPlan, type SubscriptionPrice } from '#shared/subscriptions/price-of-plan.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'

/** The present and the announced price of a unit, in minor units. */
type UnitPrices = Pick<
  Subscription,
  'unitPriceMinor' | 'priceQuantity' | 'nextPriceMinor' | 'nextPriceQuantity'
>

/**
 * Returns the prices of a unit of a subscription in another quantity. The caller has locked the subscription.
 *
 * - A price of the plan does not change.
 * - With fewer units, the price of a variant is kept down to the quantity that it was given for. Below that quantity,
 *   it is at least the variant's current price in the new quantity: a first order of many units must not buy the
 *   discount for later single units, even after the discount has ended.
 * - With more units, the price of a variant gets the quantity discount that the variant has now.
 */
export async function pricesInQuantity(
  tx: StoreTx,
  subscription: Subscription,
  quantity: number,
): Promise<UnitPrices> {
  const { unitPriceMinor, priceQuantity, nextPriceMinor, nextPriceQuantity } = subscription
  const kept = { unitPriceMinor, priceQuantity, nextPriceMinor, nextPriceQuantity }
  if (quantity === subscription.quantity) return kept
  const current = await priceOfPlan(tx, { ...subscription, quantity }, null)
  if (!current) return kept
  const adjustPrice =
    quantity > subscription.quantity
      ? await pricingOfMoreUnits(tx, subscription, current)
      : pricingOfFewerUnits(quantity, current)
  const present = adjustPrice({ unitPriceMinor, priceQuantity })
  if (nextPriceMinor === null) return { ...kept, ...present }
  const next = adjustPrice({ unitPriceMinor: nextPriceMinor, priceQuantity: nextPriceQuantity })
  return { ...present, nextPriceMinor: next.unitPriceMinor, nextPriceQuantity: next.priceQuantity }
}

/**
 * Returns a function that adjusts the price of a unit to fewer units. `current` is the price of the variant in these.
 */
const pricingOfFewerUnits =
  (quantity: number, current: SubscriptionPrice) =>
  (price: SubscriptionPrice): SubscriptionPrice => {
    if (price.priceQuantity === null || quantity >= price.priceQuantity) return price
    return { ...current, unitPriceMinor: larger(price.unitPriceMinor, current.unitPriceMinor) }
  }

/**
 * Returns a function that adjusts the price of a unit to more units. `current` is the price of the variant in these.
 */
async function pricingOfMoreUnits(
  tx: StoreTx,
  subscription: Subscription,
  current: SubscriptionPrice,
): Promise<(price: SubscriptionPrice) => SubscriptionPrice> {
  const before = await priceOfPlan(tx, subscription, null)
  const isDiscounted = before !== undefined && current.unitPriceMinor < before.unitPriceMinor
  return (price) => {
    if (price.priceQuantity === null || !isDiscounted) return price
    const unitPriceMinor = smaller(price.unitPriceMinor, current.unitPriceMinor)
    return unitPriceMinor === price.unitPriceMinor ? price : current
  }
}
