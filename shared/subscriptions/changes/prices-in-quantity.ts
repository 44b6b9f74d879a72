import { findUnitPrices } from '#shared/catalog/variants/find-unit-prices.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller } from '#shared/platform/money.ts'
import { RecurringPlan } from '#shared/recurring-plans/recurring-plan.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'

/** The present and the announced price of a unit, in minor units. */
type UnitPrices = Pick<Subscription, 'unitPriceMinor' | 'nextPriceMinor'>

/**
 * Returns the prices of a unit of a subscription in another quantity. The caller has locked the subscription. The
 * prices stay in two cases: the plan has a price of its own, or both quantities have the same quantity discount.
 * Otherwise the variant's current price in the new quantity applies: a first order of many units must not buy the
 * discount for later single units.
 */
export async function pricesInQuantity(
  tx: StoreTx,
  subscription: Subscription,
  quantity: number,
): Promise<UnitPrices> {
  const { unitPriceMinor, nextPriceMinor, recurringPlanId, quantity: before } = subscription
  const kept = { unitPriceMinor, nextPriceMinor }
  if (quantity === before) return kept
  // A deleted plan keeps its row.
  const plan = await RecurringPlan.in(tx).findById(recurringPlanId).throwIfNotFound()
  if (plan.priceMinor !== null) return kept
  const prices = await findUnitPrices(tx, subscription, [before, quantity])
  const [oldMinor, newMinor] = [prices.get(before), prices.get(quantity)]
  if (oldMinor === undefined || newMinor === undefined || newMinor === oldMinor) return kept
  const limit = newMinor > oldMinor ? larger : smaller
  return {
    unitPriceMinor: limit(unitPriceMinor, newMinor),
    nextPriceMinor: nextPriceMinor === null ? null : limit(nextPriceMinor, newMinor),
  }
}
