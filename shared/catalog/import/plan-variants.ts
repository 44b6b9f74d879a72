import { type RowFault, rowFault } from './cells.ts'
import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import { type OptionNames, optionColumn } from './plan-options.ts'
import type { ImportRow } from './read-row.ts'
import { DEFAULT_TITLE, type VariantCells } from './read-variant-cells.ts'
import { newVariant, type VariantRow } from './rows.ts'

/** The planned state of a variant. `before` is the existing variant; null for a new one. */
export interface PlannedVariant {
  line: number
  before: VariantRow | null
  variant: VariantRow
  imageUrl: string | null
}

interface ProductContext {
  productId: string
  slug: string
  before: KnownProduct | null
  names: OptionNames
  known: KnownCatalog
}

type Choice = Record<string, string>

/** Plans the variants of a product. A row with a fault is skipped and its fault returned. */
export function planVariants(
  rows: ImportRow[],
  context: ProductContext,
): { variants: PlannedVariant[]; faults: RowFault[] } {
  const faults: RowFault[] = []
  const variants: PlannedVariant[] = []
  let position = Math.max(-1, ...(context.before?.variants ?? []).map((variant) => variant.position))
  for (const { line, variant: cells } of rows) {
    if (!cells) continue
    const choice = readChoice(line, cells, context.names)
    const match = Array.isArray(choice) ? choice : matchVariant(line, cells, choice, context)
    if (Array.isArray(match)) faults.push(...match)
    else {
      context.known.claimedSkus.set(match.sku, { slug: context.slug, line })
      const before = match.before
      const base = before ?? newVariant(context.productId, match.sku, ++position)
      const variant = { ...base, ...toFields(cells, base), optionValues: choice as Choice }
      variants.push({ line, before, variant, imageUrl: cells.imageUrl })
    }
  }
  return withoutDuplicates(variants, context, faults)
}

/** The value of each option, or the faults of values that do not match the product's options. */
function readChoice(line: number, { optionValues }: VariantCells, names: OptionNames): Choice | RowFault[] {
  const faults: RowFault[] = []
  const choice: Choice = {}
  for (const [place, value] of optionValues.entries()) {
    const name = names[place] ?? null
    const column = optionColumn(place, 'Value')
    if (name !== null && value !== null) choice[name] = value
    else if (name !== null) faults.push(rowFault(line, column, `The value of the option ${name} is missing`))
    else if (value !== null && value !== DEFAULT_TITLE)
      faults.push(rowFault(line, column, "The product's first row names no option here", value))
  }
  return faults.length ? faults : choice
}

interface Match {
  sku: string
  before: VariantRow | null
}

/** The existing variant of a row, by its SKU, else by its options. A fault when another row or product has its SKU. */
function matchVariant(
  line: number,
  cells: VariantCells,
  choice: Choice,
  context: ProductContext,
): Match | RowFault[] {
  const { known, slug, productId } = context
  const before = cells.sku === null ? byChoice(context, choice) : known.bySku.get(cells.sku)
  const sku = cells.sku ?? before?.sku ?? cells.generatedSku
  const owner = before ?? known.bySku.get(sku)
  const taken = known.claimedSkus.get(sku)
  const refuse = (message: string) => [rowFault(line, 'Variant SKU', message, sku)]

  if (taken && taken.slug !== slug)
    return refuse(`Line ${taken.line} gives this SKU to the product "${taken.slug}"`)
  if (owner && owner.productId !== productId)
    return refuse(`The product "${known.byId.get(owner.productId)?.product.slug}" has this SKU`)
  if (taken) return refuse(`Line ${taken.line} is about the same variant`)
  return { sku, before: owner ?? null }
}

const byChoice = ({ before, names }: ProductContext, choice: Choice): VariantRow | undefined =>
  before?.variants.find((variant) => combination(variant.optionValues, names) === combination(choice, names))

const combination = (choice: Choice, names: OptionNames): string =>
  JSON.stringify(names.map((name) => choice[name ?? '']))

/** The variant fields of the file. Blank cells keep the existing values. */
const toFields = (cells: VariantCells, base: VariantRow): Partial<VariantRow> => ({
  priceMinor: cells.priceMinor,
  salePriceMinor: cells.salePriceMinor,
  saleStartsAt: null,
  saleEndsAt: null,
  barcode: cells.barcode ?? base.barcode,
  weightGrams: cells.weightGrams ?? base.weightGrams,
  stockOnHand: cells.stockOnHand ?? base.stockOnHand,
  backorder: cells.backorder ?? base.backorder,
})

/** Removes rows whose combination of options is the one of an earlier row or of a variant outside the file. */
function withoutDuplicates(
  variants: PlannedVariant[],
  { before, known }: ProductContext,
  faults: RowFault[],
): { variants: PlannedVariant[]; faults: RowFault[] } {
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
    known.claimedSkus.delete(variant.sku)
    faults.push(
      rowFault(line, 'Option1 Value', `The variant ${holder} has the same options`, valuesOf(variant)),
    )
    return false
  })
  return { variants: unique, faults }
}

const chosen = ({ optionValues }: VariantRow): string => JSON.stringify(Object.entries(optionValues).sort())
const valuesOf = ({ optionValues }: VariantRow): string => Object.values(optionValues).join(' / ')
