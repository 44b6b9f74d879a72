import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { setProducts } from './plan-products.ts'
import { lockRecurringPlan, RecurringPlan } from './recurring-plan.ts'

/** Deletes a plan. Its subscriptions continue, but cart lines with the plan can no longer be bought. */
export async function deleteRecurringPlan(tx: StoreTx, id: string): Promise<void> {
  const plan = await lockRecurringPlan(tx, id)
  const at = nextUpdatedAt(plan)
  await RecurringPlan.in(tx).findById(id).patch({ deletedAt: at, updatedAt: at })
  await setProducts(tx, plan.id, [])
  bumpCatalogVersion(tx)
}
