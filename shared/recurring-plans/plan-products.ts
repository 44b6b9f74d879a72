import { uniqueIds } from '#shared/platform/db/id.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RecurringPlanErrors } from './errors.ts'

// Limited, because the storefront's lists return the plans of each product, and any visitor can ask for them.
const MAX_PLANS = 20

/** Returns the ids of the products of plans, by plan id. */
export async function findProductIds(
  tx: StoreTx,
  planIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows: { planId: string; productId: string }[] = await tx
    .knex('recurring_plan_products')
    .where('store_id', tx.storeId)
    .whereIn('recurring_plan_id', planIds)
    .orderBy('product_id')
    .select({ planId: 'recurring_plan_id', productId: 'product_id' })
  const products = new Map(planIds.map((id): [string, string[]] => [id, []]))
  for (const { planId, productId } of rows) products.get(planId)?.push(productId)
  return products
}

/**
 * Replaces the products of a plan. The caller has checked the ids by `assertProducts`. Throws
 * `recurring_plan.limit_reached` if one of them has 20 other plans.
 */
export async function setProducts(tx: StoreTx, planId: string, productIds: readonly string[]): Promise<void> {
  await tx.knex('recurring_plan_products').where({ store_id: tx.storeId, recurring_plan_id: planId }).delete()
  const ids = uniqueIds(productIds)
  if (ids.length === 0) return
  // Lock first: two concurrent changes could both count one plan below the limit.
  await lockName(tx.knex, `plans of products ${tx.storeId}`)
  await tx
    .knex('recurring_plan_products')
    .insert(ids.map((id) => ({ store_id: tx.storeId, recurring_plan_id: planId, product_id: id })))
  const full = await tx
    .knex('recurring_plan_products')
    .where('store_id', tx.storeId)
    .whereIn('product_id', ids)
    .groupBy('product_id')
    .havingRaw('count(*) > ?', [MAX_PLANS])
    .first('product_id')
  if (full) throw RecurringPlanErrors.limitReached({ limit: MAX_PLANS })
}
