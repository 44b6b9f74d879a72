/** SQL condition: the plan sells its products. */
export const isSoldSql = (plan: string): string => `${plan}.is_active and ${plan}.deleted_at is null`

/** SQL: the `from` clause of the plans `plan` that sell a product. */
export const plansOfProductSql = (product: string): string => `
  from recurring_plan_products link
  join recurring_plans plan
    on plan.store_id = link.store_id and plan.id = link.recurring_plan_id and ${isSoldSql('plan')}
  where link.store_id = ${product}.store_id and link.product_id = ${product}.id`

/** SQL: the `order by` of the plans of a product. */
export const PLAN_ORDER = 'plan.sort_order, plan.created_at, plan.id'
