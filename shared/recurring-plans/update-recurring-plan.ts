import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { RecurringPlanInput } from './create-recurring-plan.ts'
import { setProducts } from './plan-products.ts'
import {
  findRecurringPlan,
  lockRecurringPlan,
  RecurringPlan,
  type RecurringPlanWithProducts,
  trialColumns,
} from './recurring-plan.ts'

/**
 * Updates a plan; absent fields stay. Carts get the new terms. Subscriptions keep their copy. Throws
 * `resource.not_found`, `resource.changed` if `ifMatch` is outdated, and `recurring_plan.limit_reached` if a product
 * has 20 other plans.
 */
export async function updateRecurringPlan(
  tx: StoreTx,
  id: string,
  { trial, productIds, ...changes }: Partial<RecurringPlanInput>,
  ifMatch?: string,
): Promise<RecurringPlanWithProducts> {
  const plan = await lockRecurringPlan(tx, id)
  assertUnchanged(plan, ifMatch)
  await RecurringPlan.in(tx)
    .findById(id)
    .patch({
      ...changes,
      ...(trial === undefined ? {} : trialColumns(trial)),
      updatedAt: nextUpdatedAt(plan),
    })
  if (productIds) await setProducts(tx, plan.id, productIds)
  bumpCatalogVersion(tx)
  return findRecurringPlan(tx, id)
}
