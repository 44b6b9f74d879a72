import { Type } from 'typebox'
import { type FilterOf, inAnyLanguage, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { findProductIds } from './plan-products.ts'
import { RecurringPlan, type RecurringPlanWithProducts } from './recurring-plan.ts'

export const RECURRING_PLANS = new List({
  sorts: {
    sort_order: ['sort_order', 'created_at'],
    price: 'coalesce(price_minor, -1)',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  order: 'sort_order',
  searches: 'Part of a name',
  text: [inAnyLanguage('name_i18n')],
  filters: {
    is_active: Type.Optional(Type.Boolean()),
    product_id: Type.Optional({ ...Uuid, description: 'Plans of this product' }),
  },
})

export type RecurringPlanFilter = FilterOf<typeof RECURRING_PLANS>

/** Returns one page of the matching plans, inactive ones included, and their number. */
export async function listRecurringPlans(
  tx: StoreTx,
  filter: RecurringPlanFilter,
): Promise<Page<RecurringPlanWithProducts>> {
  const { is_active, product_id } = filter
  const query = RecurringPlan.in(tx).whereNull('deleted_at')
  if (is_active !== undefined) query.where('is_active', is_active)
  if (product_id)
    query.whereIn(
      'id',
      tx
        .knex('recurring_plan_products')
        .where({ store_id: tx.storeId, product_id })
        .select('recurring_plan_id'),
    )
  const { results: plans, total } = await RECURRING_PLANS.page(query, filter)
  const products = await findProductIds(
    tx,
    plans.map(({ id }) => id),
  )
  return { results: plans.map((plan) => ({ plan, productIds: products.get(plan.id) ?? [] })), total }
}
