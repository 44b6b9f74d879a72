import type { CatalogColumn } from '#shared/catalog/import/own-format/columns.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-product-row.ts'
import type { VariantCells } from '#shared/catalog/import/rows/read-variant-cells.ts'
import { newVariant, type VariantRow } from '#shared/catalog/import/rows/rows.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { type RowNote, rowFault } from '#shared/imports/file/row-note.ts'
import { matchVariant, type VariantsContext, variantsByChoice } from './match-variant.ts'
import { planPrices } from './plan-prices.ts'
import type { ProductContext } from './product-context.ts'
import { readChoice } from './read-choice.ts'

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
  let lastPosition = Math.max(-1, ...(context.before?.variants ?? []).map(({ position }) => position))
  for (const { line, variant: cells } of rows) {
    if (!cells) continue
    const result = planVariant({ line, cells, newPosition: lastPosition + 1 }, context)
    if ('faults' in result) {
      notes.push(...result.faults)
      continue
    }
    const { planned, warning } = result
    if (warning) notes.push(warning)
    lineOfSku.set(planned.variant.sku, line)
    if (!planned.before) lastPosition = planned.variant.position
    variants.push(planned)
  }
  return withoutDuplicates(variants, context, notes)
}

/** A row with the cells of a variant, and the position of the variant if it is new. */
interface VariantInput {
  line: number
  cells: VariantCells
  newPosition: number
}

type VariantPlan = { planned: PlannedVariant; warning: RowNote | undefined } | { faults: RowNote[] }

/** Plans the variant of a row, or returns the faults of the row. */
function planVariant({ line, cells, newPosition }: VariantInput, context: VariantsContext): VariantPlan {
  const read = readChoice(line, cells, context)
  if ('faults' in read) return read
  const match = matchVariant(line, cells, read.choice, context)
  if ('faults' in match) return match
  const { sku, before, warning } = match
  const prices = planPrices(cells.prices, before && pricesOf(before, context), context.at)
  if (!prices) return { faults: [rowFault(line, columnNameIn(context.header, 'price'), NO_PRICE)] }
  const base = before ?? newVariant(context.productId, { sku, position: newPosition, at: context.at })
  const { priceMinor, ...sale } = prices
  const variant = { ...base, ...sale, ...toFields(cells, base), optionValues: read.choice }
  return { planned: { line, before, variant, priceMinor, imageUrl: cells.imageUrl }, warning }
}

const NO_PRICE = 'A new variant needs a price'

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
  /** The SKU of the variant with a combination of option values. */
  const holders = new Map<string, string>()
  for (const variant of before?.variants ?? [])
    if (!named.has(variant.id)) holders.set(choiceKey(variant), variant.sku)
  const unique = variants.filter(({ line, variant }) => {
    const holder = holders.get(choiceKey(variant))
    if (holder === undefined) {
      holders.set(choiceKey(variant), variant.sku)
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

const choiceKey = ({ optionValues }: VariantRow): string =>
  JSON.stringify(Object.entries(optionValues).sort())
const valuesOf = ({ optionValues }: VariantRow): string => Object.values(optionValues).join(' / ')
