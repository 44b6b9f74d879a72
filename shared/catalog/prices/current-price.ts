/** What a variant costs without a sale, in SQL, for the aliases of a variant and its product. */
export const basePriceSql = (variant: string, product: string) =>
  `coalesce(${variant}.price_minor, ${product}.price_minor)`

/** A window begins with its start and ends before its end; either may be open. `at` is of type timestamptz. */
const openSql = (startsAt: string, endsAt: string, at: string) =>
  `(${startsAt} is null or ${startsAt} <= ${at}) and (${endsAt} is null or ${endsAt} > ${at})`

/** The sale price while its window is open, else null. */
export const runningSalePriceSql = (variant: string, at: string) =>
  `case when ${openSql(`${variant}.sale_starts_at`, `${variant}.sale_ends_at`, at)} then ${variant}.sale_price_minor end`

/** `from` and `where` of the price rules `r` of a product that run at a moment. */
export const runningRulesSql = (product: string, at: string) =>
  `from price_rules r where r.store_id = ${product}.store_id and r.product_id = ${product}.id
     and ${openSql('r.starts_at', 'r.ends_at', at)}`

/** The lowest price that a product's running rules give one of so many units; null without any. */
export const ruledPriceSql = (product: string, quantity: string, at: string) =>
  `(select min(r.price_minor) ${runningRulesSql(product, at)} and r.min_quantity <= ${quantity})`

/**
 * What one unit costs at a moment: the lowest of base, running sale and what price rules give (decisions, section 5).
 * `least` passes over the null of what does not run, and what is dearer than the rest does not apply.
 */
export const appliedPriceSql = (variant: string, product: string, at: string, ruled = 'null::bigint') =>
  `least(${basePriceSql(variant, product)}, ${runningSalePriceSql(variant, at)}, ${ruled})`
