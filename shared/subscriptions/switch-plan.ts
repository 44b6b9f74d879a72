import { findSellable } from '#shared/catalog/find-sellable.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'
import {
  findRecurringPlan,
  type RecurringPlanWithProducts,
  termsOf,
} from '#shared/recurring-plans/recurring-plan.ts'
import { keptTerms } from '#shared/recurring-plans/terms.ts'
import type { Charge } from './charge.ts'
import { SubscriptionErrors } from './errors.ts'
import type { Subscription } from './subscription.ts'

/**
 * Changes an active subscription, which the caller has locked, to another plan of its product: from the next charge on, which
 * keeps its date. A trial of the plan is for new subscribers. Throws `subscription.not_changeable` while a charge is open.
 */
export async function switchPlan(
  tx: StoreTx,
  subscription: Subscription,
  open: Charge | null,
  planId: string,
): Promise<void> {
  const { status, nextChargeAt, variantId, productId } = subscription
  if (status !== 'active' || open || !nextChargeAt)
    throw SubscriptionErrors.notChangeable({ what: 'The plan', status })
  const { plan } = await findOffered(tx, planId, productId)
  const terms = keptTerms({ ...termsOf(plan), trial: null })
  const variantPriceMinor = (await findSellable(tx, [variantId])).get(variantId)?.unitPriceMinor
  await subscription.change(tx, {
    recurringPlanId: plan.id,
    terms,
    unitPriceMinor: plan.priceMinor ?? variantPriceMinor ?? subscription.unitPriceMinor,
    scheduleFrom: nextChargeAt,
    position: 0,
    chargesLeft: terms.cycle === 0 ? null : terms.cycle,
  })
}

/** An active plan of a product. Throws 422 for another one. */
async function findOffered(
  tx: StoreTx,
  planId: string,
  productId: string,
): Promise<RecurringPlanWithProducts> {
  const found = await findRecurringPlan(tx, planId).catch((error) => {
    if (error instanceof CodedError && error.code === CommonErrors.notFound.kind.code) return null
    throw error
  })
  if (!found?.plan.isActive || !found.productIds.includes(productId))
    throw invalid(
      ['recurring_plan_id'],
      'This product is not sold by such a plan: see its recurring_plans',
      planId,
    )
  return found
}
