import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'
import { RecurringPlan } from './recurring-plan.ts'

/** Returns a plan that sells a product now. Throws 422 at `recurring_plan_id` if it does not. */
export async function findSoldRecurringPlan(
  tx: StoreTx,
  planId: string,
  productId: string,
): Promise<RecurringPlan> {
  const link = { store_id: tx.storeId, recurring_plan_id: planId, product_id: productId }
  const plan = await RecurringPlan.in(tx)
    .findById(planId)
    .where('is_active', true)
    .whereNull('deleted_at')
    .whereExists(tx.knex('recurring_plan_products').where(link))
  if (!plan) throw notSoldByPlan(planId)
  return plan
}

/** Returns the error of a product that a plan does not sell. */
export const notSoldByPlan = (planId: string | null) =>
  invalid(
    ['recurring_plan_id'],
    'This product is not sold by this plan. Choose one of the recurring_plans of the product',
    planId,
  )
