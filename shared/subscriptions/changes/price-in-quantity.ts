import { findUnitPrices } from '#shared/catalog/variants/find-unit-prices.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller } from '#shared/platform/money.ts'
import { RecurringPlan } from '#shared/recurring-plans/recurring-plan.ts'
import type { Subscription } from '../subscription.ts'

/**
 * The price of a unit of a subscription, which the caller has locked, in another quantity. It stays, unless its plan
 * sells at the price of the variant and a quantity discount begins or ends between the two quantities: then the current
 * price in the new quantity applies. Otherwise a first order of many units would buy the discount for single ones.
 */
export async function priceInQuantity(
  tx: StoreTx,
  subscription: Subscription,
  quantity: number,
): Promise<bigint> {
  const { unitPriceMinor, recurringPlanId, quantity: before } = subscription
  if (quantity === before) return unitPriceMinor
  // The row of a deleted plan stays.
  const plan = await RecurringPlan.in(tx).findById(recurringPlanId).throwIfNotFound()
  if (plan.priceMinor !== null) return unitPriceMinor
  const prices = await findUnitPrices(tx, subscription, [before, quantity])
  const [oldMinor, newMinor] = [prices.get(before), prices.get(quantity)]
  if (oldMinor === undefined || newMinor === undefined || newMinor === oldMinor) return unitPriceMinor
  return newMinor > oldMinor ? larger(unitPriceMinor, newMinor) : smaller(unitPriceMinor, newMinor)
}
