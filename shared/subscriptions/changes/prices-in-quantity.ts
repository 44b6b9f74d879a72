import { findUnitPrices } from '#shared/catalog/variants/find-unit-prices.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller } from '#shared/platform/money.ts'
import { RecurringPlan } from '#shared/recurring-plans/recurring-plan.ts'
import type { Subscription } from '../subscription.ts'

/** The price of a unit now, and the announced one. Minor units. */
type UnitPrices = Pick<Subscription, 'unitPriceMinor' | 'nextPriceMinor'>

/**
 * The prices of a unit of a subscription, which the caller has locked, in another quantity. They stay, unless its plan
 * sells at the price of the variant and a quantity discount begins or ends between the two quantities: then the current
 * price in the new quantity applies. Otherwise a first order of many units would buy the discount for single ones.
 */
export async function pricesInQuantity(
  tx: StoreTx,
  subscription: Subscription,
  quantity: number,
): Promise<UnitPrices> {
  const { unitPriceMinor, nextPriceMinor, recurringPlanId, quantity: before } = subscription
  const kept = { unitPriceMinor, nextPriceMinor }
  if (quantity === before) return kept
  // The row of a deleted plan stays.
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
