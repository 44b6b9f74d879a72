import { publishedSql } from '#shared/catalog/storefront-context/sql.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'

/** SQL of a variant's price without a sale. The parameters are the aliases of the variant and its product. */
export const basePriceSql = (variant: string, product: string) =>
  `coalesce(${variant}.price_minor, ${product}.price_minor)`

/**
 * SQL condition: `at` (timestamptz) is in the window. The start is inclusive, the end exclusive; null means no limit.
 */
const openSql = (startsAt: string, endsAt: string, at: string) =>
  `(${startsAt} is null or ${startsAt} <= ${at}) and (${endsAt} is null or ${endsAt} > ${at})`

/** SQL of the sale price within its window, else null. */
export const runningSalePriceSql = (variant: string, at: string) =>
  `case when ${openSql(`${variant}.sale_starts_at`, `${variant}.sale_ends_at`, at)} then ${variant}.sale_price_minor end`

/** SQL of no customer group: only the rules for everyone apply. */
export const NO_GROUP = 'null::uuid'

/**
 * SQL `from` and `where` of a product's price rules `r` for everyone and for a customer group, at any time. The catalog
 * shows no prices of groups, because its responses are public.
 */
export const rulesOfGroupSql = (product: string, group = NO_GROUP) =>
  `from price_rules r where r.store_id = ${product}.store_id and r.product_id = ${product}.id
     and (r.customer_group_id is null or r.customer_group_id = ${group})`

/** SQL `from` and `where` of the rules of `rulesOfGroupSql` whose window includes `at`. */
export const runningRulesSql = (product: string, at: string, group = NO_GROUP) =>
  `${rulesOfGroupSql(product, group)} and ${openSql('r.starts_at', 'r.ends_at', at)}`

/** SQL of the lowest unit price of a product's running rules for a quantity; null without a rule. */
export const priceRuleSql = (product: string, quantity: string, at: string, group = NO_GROUP) =>
  `(select min(r.price_minor) ${runningRulesSql(product, at, group)} and r.min_quantity <= ${quantity})`

/**
 * SQL of the price of one unit: the lowest of base price, running sale and price rules. A price that does not apply is
 * null, which `least` ignores.
 */
export const appliedPriceSql = (variant: string, product: string, at: string, ruled = 'null::bigint') =>
  `least(${basePriceSql(variant, product)}, ${runningSalePriceSql(variant, at)}, ${ruled})`

/** SQL of the lowest price of one unit of a product's published variants, in minor units. */
export const lowestPriceSql = (product: string, at: string) => `coalesce((
    select min(${appliedPriceSql('v', product, at, 'special.price')})
    from product_variants v cross join (select ${priceRuleSql(product, '1', at)} as price) special
    where v.store_id = ${CURRENT_STORE} and v.product_id = ${product}.id and ${publishedSql('v')}), ${product}.price_minor)`
