/** The prices of a variant, in minor units; null `priceMinor` means the product's. */
export interface VariantPrices {
  priceMinor: bigint | null
  salePriceMinor: bigint | null
  saleStartsAt: Date | null
  saleEndsAt: Date | null
}

/** What a variant costs without a sale. */
export const basePrice = (
  variant: Pick<VariantPrices, 'priceMinor'>,
  product: { priceMinor: bigint },
): bigint => variant.priceMinor ?? product.priceMinor

/** The sale price while its window is open, else null. The window begins with its start and ends before its end. */
export function runningSalePrice(variant: VariantPrices, at: Date): bigint | null {
  const { salePriceMinor, saleStartsAt, saleEndsAt } = variant
  const begun = !saleStartsAt || saleStartsAt <= at
  const over = saleEndsAt !== null && saleEndsAt <= at
  return begun && !over ? salePriceMinor : null
}

/** What one unit costs at a moment: the lowest of base and running sale (decisions, section 5), in minor units. */
export function appliedPrice(variant: VariantPrices, product: { priceMinor: bigint }, at: Date): bigint {
  const base = basePrice(variant, product)
  const sale = runningSalePrice(variant, at)
  return sale !== null && sale < base ? sale : base
}

/** `basePrice` in SQL, for the aliases of a variant and its product. */
export const basePriceSql = (variant: string, product: string) =>
  `coalesce(${variant}.price_minor, ${product}.price_minor)`

/** `runningSalePrice` in SQL. `at` is an expression of type timestamptz. */
export const runningSalePriceSql = (variant: string, at: string) =>
  `case when (${variant}.sale_starts_at is null or ${variant}.sale_starts_at <= ${at})
         and (${variant}.sale_ends_at is null or ${variant}.sale_ends_at > ${at}) then ${variant}.sale_price_minor end`

/** `appliedPrice` in SQL: `least` passes over the null of a sale that is not running. */
export const appliedPriceSql = (variant: string, product: string, at: string) =>
  `least(${basePriceSql(variant, product)}, ${runningSalePriceSql(variant, at)})`
