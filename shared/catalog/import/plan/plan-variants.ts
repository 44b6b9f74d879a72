import type { CatalogColumn } from '#shared/catalog/import/own-format/columns.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-row.ts'
import type { VariantCells } from '#shared/catalog/import/rows/read-variant-cells.ts'
import { newVariant, type VariantRow } from '#shared/catalog/import/rows/rows.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { type RowNote, rowFault } from '#shared/imports/file/row-note.ts'
import { matchVariant, variantsByChoice } from './match-variant.ts'
import { planPrices } from './plan-prices.ts'
import type { ProductContext } from './product-context.ts'
import { type Choice, readChoice } from './read-choice.ts'

/** The planned state of a variant. `before` is the existing variant; null for a new one. */
export interface PlannedVariant {
  line: number
  before: VariantRow | null
  variant: VariantRow
  /** The price without a sale, in minor units. */
  priceMinor: bigint
  imageUrl: string | null
}

interface PlannedVariants {
  variants: PlannedVariant[]
  /** Faults and warnings. */
  notes: RowNote[]
}

/** Plans the variants of a product. Skips a row with a fault and returns the fault. */
export function planVariants(rows: ImportRow[], product: ProductContext): PlannedVariants {
  const lineOfSku = new Map<string, number>()
  const context = { ...product, byChoice: variantsByChoice(product), lineOfSku }
  const notes: RowNote[] = []
  const variants: PlannedVariant[] = []
  let position = Math.max(-1, ...(context.before?.variants ?? []).map((variant) => variant.position))
  for (const { line, variant: cells } of rows) {
    if (!cells) continue
    const choice = readChoice(line, cells, context)
    const match = Array.isArray(choice) ? choice : matchVariant(line, cells, choice, context)
    if (Array.isArray(match)) {
      notes.push(...match)
      continue
    }
    const { before } = match
    const prices = planPrices(cells.prices, before && pricesOf(before, context), context.at)
    if (!prices) {
      notes.push(rowFault(line, columnNameIn(context.header, 'price'), 'A new variant needs a price'))
      continue
    }
    if (match.warning) notes.push(match.warning)
    lineOfSku.set(match.sku, line)
    const base =
      before ?? newVariant(context.productId, { sku: match.sku, position: ++position, at: context.at })
    const { priceMinor, ...sale } = prices
    const variant = { ...base, ...sale, ...toFields(cells, base), optionValues: choice as Choice }
    variants.push({ line, before, variant, priceMinor, imageUrl: cells.imageUrl })
  }
  return withoutDuplicates(variants, context, notes)
}

const pricesOf = (variant: VariantRow, { before }: ProductContext) => ({
  priceMinor: variant.priceMinor ?? before?.product.priceMinor ?? 0n,
  salePriceMinor: variant.salePriceMinor,
  saleStartsAt: variant.saleStartsAt,
  saleEndsAt: variant.saleEndsAt,
})

/** Returns the variant fields of the file. Blank cells keep the existing values. */
const toFields = (cells: VariantCells, base: VariantRow): Partial<VariantRow> => ({
  barcode: cells.barcode ?? base.barcode,
  weightGrams: cells.weightGrams ?? base.weightGrams,
  stockOnHand: cells.stockOnHand ?? base.stockOnHand,
  backorder: cells.backorder ?? base.backorder,
  isActive: cells.isActive ?? base.isActive,
})

/** Removes rows with the option values of an earlier row, or of a variant that is not in the file. */
function withoutDuplicates(
  variants: PlannedVariant[],
  { before, header }: ProductContext,
  notes: RowNote[],
): PlannedVariants {
  const named = new Set(variants.map(({ variant }) => variant.id))
  const holders = new Map<string, string>()
  for (const variant of before?.variants ?? [])
    if (!named.has(variant.id)) holders.set(chosen(variant), variant.sku)
  const unique = variants.filter(({ line, variant }) => {
    const holder = holders.get(chosen(variant))
    if (holder === undefined) {
      holders.set(chosen(variant), variant.sku)
      return true
    }
    notes.push(
      rowFault(
        line,
        columnNameIn(header, OPTION),
        `The variant ${holder} has the same options. Change the options or remove the row`,
        valuesOf(variant),
      ),
    )
    return false
  })
  return { variants: unique, notes }
}

const OPTION: CatalogColumn = 'option1_value'

const chosen = ({ optionValues }: VariantRow): string => JSON.stringify(Object.entries(optionValues).sort())
const valuesOf = ({ optionValues }: VariantRow): string => Object.values(optionValues).join(' / ')
