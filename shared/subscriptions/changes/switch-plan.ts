import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findSoldRecurringPlan } from '#shared/recurring-plans/find-sold-recurring-plan.ts'
import { termsOf } from '#shared/recurring-plans/recurring-plan.ts'
import { countCharges } from '#shared/recurring-plans/schedule.ts'
import { keptTerms } from '#shared/recurring-plans/terms.ts'
import type { Charge } from '#shared/subscriptions/charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { priceOfPlan } from '#shared/subscriptions/price-of-plan.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { NO_NEXT_PRICE } from '#shared/subscriptions/unit-price.ts'

/**
 * Changes an active subscription to another plan of its product. The caller has locked the subscription. The plan
 * applies from the next charge on, which keeps its date, and starts no trial. Throws `subscription.not_changeable` if
 * the subscription is not active or has an open charge, and 422 if the plan does not sell the product.
 */
export async function switchPlan(
  tx: StoreTx,
  subscription: Subscription,
  open: Charge | null,
  planId: string,
): Promise<Subscription> {
  const { status, nextChargeAt, productId } = subscription
  if (status !== 'active' || open || !nextChargeAt)
    throw SubscriptionErrors.notChangeable({
      rule: 'The plan can be changed while the subscription is active and no charge is open',
      status,
    })
  const plan = await findSoldRecurringPlan(tx, planId, productId)
  const price = await priceOfPlan(tx, subscription, plan.priceMinor)
  const terms = keptTerms({ ...termsOf(plan), trial: null })
  return subscription.change(tx, {
    recurringPlanId: plan.id,
    terms,
    ...price,
    ...NO_NEXT_PRICE,
    scheduleFrom: nextChargeAt,
    position: 0,
    chargesLeft: countCharges(terms),
  })
}
