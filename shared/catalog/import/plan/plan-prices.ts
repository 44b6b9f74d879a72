import type { PriceCells } from '#shared/catalog/import/rows/read-variant-cells.ts'
import type { VariantRow } from '#shared/catalog/import/rows/rows.ts'

type SaleFields = Pick<VariantRow, 'salePriceMinor' | 'saleStartsAt' | 'saleEndsAt'>

/** The prices of a variant: its price without a sale, and its sale. */
export interface PlannedPrices extends SaleFields {
  priceMinor: bigint
}

/** The price that buyers see, and during a sale the higher price that it is compared with. */
export interface ShownPrices {
  priceMinor: bigint
  compareAtMinor: bigint | null
}

/** Returns the prices of a variant in Shopify's columns at a time. A sale that has not started is not in them. */
export function shownPrices(prices: PlannedPrices, at: Date): ShownPrices {
  const { priceMinor, salePriceMinor, saleStartsAt, saleEndsAt } = prices
  const isRunning = (saleStartsAt === null || saleStartsAt <= at) && (saleEndsAt === null || saleEndsAt > at)
  return isRunning && salePriceMinor !== null && salePriceMinor < priceMinor
    ? { priceMinor: salePriceMinor, compareAtMinor: priceMinor }
    : { priceMinor, compareAtMinor: null }
}

/**
 * Returns the prices after the import of a row. `before` are the prices of the existing variant. A blank price keeps
 * them. In Shopify's columns a compare-at price above the price starts a sale immediately, and another one ends the
 * sale. Cells that equal the shown prices change nothing, so that a later sale stays.
 */
export function planPrices(cells: PriceCells, before: PlannedPrices | null, at: Date): PlannedPrices | null {
  if (cells.priceMinor === null && !before) return null
  if (!cells.comparesPrices) return withSale(cells, before)
  if (cells.priceMinor === null) return before
  const priceMinor = cells.priceMinor
  const compareAtMinor = (cells.compareAtMinor ?? 0n) > priceMinor ? cells.compareAtMinor : null
  const shown = before && shownPrices(before, at)
  if (shown?.priceMinor === priceMinor && shown.compareAtMinor === compareAtMinor) return before
  const noWindow = { saleStartsAt: null, saleEndsAt: null }
  return compareAtMinor === null
    ? { priceMinor, salePriceMinor: null, ...noWindow }
    : { priceMinor: compareAtMinor, salePriceMinor: priceMinor, ...noWindow }
}

const withSale = (cells: PriceCells, before: PlannedPrices | null): PlannedPrices => ({
  priceMinor: cells.priceMinor ?? before?.priceMinor ?? 0n,
  salePriceMinor: cells.salePriceMinor ?? before?.salePriceMinor ?? null,
  saleStartsAt: cells.saleStartsAt ?? before?.saleStartsAt ?? null,
  saleEndsAt: cells.saleEndsAt ?? before?.saleEndsAt ?? null,
})

/**
 * Returns the price of a product and of each variant. Null for a variant means the product's price. Unchanged prices
 * stay as they are stored. Otherwise the first variant's price becomes the product's, but only if the file has all
 * variants, because others use the product's price.
 */
export function placePrices(
  productPriceMinor: bigint,
  variants: { before: VariantRow | null; priceMinor: bigint }[],
  hasAllVariants: boolean,
): { productPriceMinor: bigint; variantPricesMinor: (bigint | null)[] } {
  const isUnchanged = ({ before, priceMinor }: (typeof variants)[number]) =>
    before !== null && (before.priceMinor ?? productPriceMinor) === priceMinor
  const keepsPrice = !hasAllVariants || variants.every(isUnchanged)
  const newPriceMinor = keepsPrice ? productPriceMinor : (variants[0]?.priceMinor ?? productPriceMinor)
  return {
    productPriceMinor: newPriceMinor,
    variantPricesMinor: variants.map((variant) => {
      if (newPriceMinor === productPriceMinor && isUnchanged(variant))
        return variant.before?.priceMinor ?? null
      return variant.priceMinor === newPriceMinor ? null : variant.priceMinor
    }),
  }
}
