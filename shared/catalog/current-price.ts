/** What a variant costs without a sale, in SQL, for the aliases of a variant and its product. */
export const basePriceSql = (variant: string, product: string) =>
  `coalesce(${variant}.price_minor, ${product}.price_minor)`

/**
 * The sale price while its window is open, else null. The window begins with its start and ends before its end. `at`
 * is an expression of type timestamptz.
 */
export const runningSalePriceSql = (variant: string, at: string) =>
  `case when (${variant}.sale_starts_at is null or ${variant}.sale_starts_at <= ${at})
         and (${variant}.sale_ends_at is null or ${variant}.sale_ends_at > ${at}) then ${variant}.sale_price_minor end`

/**
 * What one unit costs at a moment: the lowest of base and running sale (decisions, section 5). `least` passes over the
 * null of a sale that is not running.
 */
export const appliedPriceSql = (variant: string, product: string, at: string) =>
  `least(${basePriceSql(variant, product)}, ${runningSalePriceSql(variant, at)})`
