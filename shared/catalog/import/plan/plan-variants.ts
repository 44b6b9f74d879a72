import { type CatalogColumn, type Header, optionColumn } from '#shared/catalog/import/own-format/columns.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-row.ts'
import { DEFAULT_TITLE, type VariantCells } from '#shared/catalog/import/rows/read-variant-cells.ts'
import { newVariant, type VariantRow } from '#shared/catalog/import/rows/rows.ts'
import { optionValue } from '#shared/catalog/variant.ts'
import { type RowNote, rowFault, rowWarning } from '#shared/imports/file/cells.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import type { OptionNames } from './plan-options.ts'
import { planPrices } from './plan-prices.ts'

/** The planned state of a variant. `before` is the existing variant; null for a new one. */
export interface PlannedVariant {
  line: number
  before: VariantRow | null
  variant: VariantRow
  /** Without a sale, in minor units. */
  priceMinor: bigint
  imageUrl: string | null
}

interface ProductContext {
  productId: string
  slug: string
  before: KnownProduct | null
  names: OptionNames
  known: KnownCatalog
  header: Header
  /** A SKU that another row or product has is replaced by one that is made of it. */
  renamesDuplicates: boolean
}

type Choice = Record<string, string>

/** Plans the variants of a product. A row with a fault is skipped and its fault returned. */
export function planVariants(
  rows: ImportRow[],
  context: ProductContext,
): { variants: PlannedVariant[]; faults: RowNote[] } {
  const faults: RowNote[] = []
  const variants: PlannedVariant[] = []
  let position = Math.max(-1, ...(context.before?.variants ?? []).map((variant) => variant.position))
  for (const { line, variant: cells } of rows) {
    if (!cells) continue
    const choice = readChoice(line, cells, context)
    const match = Array.isArray(choice) ? choice : matchVariant(line, cells, choice, context)
    if (Array.isArray(match)) {
      faults.push(...match)
      continue
    }
    const { before } = match
    const prices = planPrices(cells.prices, before && pricesOf(before, context), now())
    if (!prices) {
      faults.push(rowFault(line, columnNameIn(context.header, 'price'), 'A new variant needs a price'))
      continue
    }
    if (match.warning) faults.push(match.warning)
    context.known.claimedSkus.set(match.sku, { slug: context.slug, line })
    const base = before ?? newVariant(context.productId, match.sku, ++position)
    const { priceMinor, ...sale } = prices
    const variant = { ...base, ...sale, ...toFields(cells, base), optionValues: choice as Choice }
    variants.push({ line, before, variant, priceMinor, imageUrl: cells.imageUrl })
  }
  return withoutDuplicates(variants, context, faults)
}

const pricesOf = (variant: VariantRow, { before }: ProductContext) => ({
  priceMinor: variant.priceMinor ?? before?.product.priceMinor ?? 0n,
  salePriceMinor: variant.salePriceMinor,
  saleStartsAt: variant.saleStartsAt,
  saleEndsAt: variant.saleEndsAt,
})

/** The value of each option, or the faults of values that do not match the product's options. */
function readChoice(line: number, cells: VariantCells, context: ProductContext): Choice | RowNote[] {
  const { names, header, known, productId } = context
  const existing = known.bySku.get(cells.sku ?? '')
  const kept = existing?.productId === productId ? existing.optionValues : {}
  const faults: RowNote[] = []
  const choice = new Map<string, string>()
  for (let place = 0; place < Math.max(names.length, cells.optionValues.length); place++) {
    const value = cells.optionValues[place] ?? null
    const name = names[place] ?? null
    const column = columnNameIn(header, optionColumn(place, 'value'))
    const chosen = value ?? (name === null ? undefined : optionValue(kept, name))
    if (name !== null && chosen !== undefined) choice.set(name, chosen)
    else if (name !== null) faults.push(rowFault(line, column, `The value of the option ${name} is missing`))
    else if (value !== null && value !== DEFAULT_TITLE)
      faults.push(rowFault(line, column, "The product's first row names no option here", value))
  }
  return faults.length ? faults : Object.fromEntries(choice)
}

interface Match {
  sku: string
  before: VariantRow | null
  warning?: RowNote
}

/** The existing variant of a row, by its SKU, else by its options. A fault when another row or product has its SKU. */
function matchVariant(
  line: number,
  cells: VariantCells,
  choice: Choice,
  context: ProductContext,
): Match | RowNote[] {
  const { known, slug, productId, header } = context
  const before = cells.sku === null ? byChoice(context, choice) : known.bySku.get(cells.sku)
  const sku = cells.sku ?? before?.sku ?? cells.generatedSku()
  const existing = before ?? known.bySku.get(sku)
  const taken = known.claimedSkus.get(sku)
  const field = columnNameIn(header, 'sku')
  const isOfOther = taken ? taken.slug !== slug : existing !== undefined && existing.productId !== productId
  const isOtherVariant = taken !== undefined && existing !== undefined && !hasChoice(existing, choice)
  if (context.renamesDuplicates && cells.sku !== null && (isOfOther || isOtherVariant || taken)) {
    const renamed = cells.generatedSku()
    const warning = rowWarning(
      line,
      field,
      `Another variant has this SKU. This one got the SKU ${renamed}`,
      sku,
    )
    if (!known.claimedSkus.has(renamed))
      return { sku: renamed, before: known.bySku.get(renamed) ?? null, warning }
  }
  const refuse = (message: string) => [rowFault(line, field, message, sku)]
  if (taken && taken.slug !== slug)
    return refuse(`Line ${taken.line} gives this SKU to the product "${taken.slug}". ${WAY_THROUGH}`)
  if (existing && existing.productId !== productId)
    return refuse(`The product "${known.slugs.get(existing.productId)}" has this SKU. ${WAY_THROUGH}`)
  if (taken)
    return refuse(
      cells.sku === null
        ? `Line ${taken.line} is about the same variant`
        : `Line ${taken.line} has this SKU already. ${WAY_THROUGH}`,
    )
  return { sku, before: existing ?? null }
}

const WAY_THROUGH =
  'Give each variant a SKU of its own, or import with duplicate_skus=rename to get one made for the later rows'

const hasChoice = ({ optionValues }: VariantRow, choice: Choice): boolean =>
  Object.entries(choice).every(([name, value]) => optionValue(optionValues, name) === value)

const byChoice = ({ before, names }: ProductContext, choice: Choice): VariantRow | undefined =>
  before?.variants.find((variant) => combination(variant.optionValues, names) === combination(choice, names))

const combination = (choice: Choice, names: OptionNames): string =>
  JSON.stringify(names.map((name) => optionValue(choice, name ?? '')))

/** The variant fields of the file. Blank cells keep the existing values. */
const toFields = (cells: VariantCells, base: VariantRow): Partial<VariantRow> => ({
  barcode: cells.barcode ?? base.barcode,
  weightGrams: cells.weightGrams ?? base.weightGrams,
  stockOnHand: cells.stockOnHand ?? base.stockOnHand,
  backorder: cells.backorder ?? base.backorder,
  isActive: cells.isActive ?? base.isActive,
})

/** Removes rows whose combination of options is the one of an earlier row or of a variant outside the file. */
function withoutDuplicates(
  variants: PlannedVariant[],
  { before, known, header }: ProductContext,
  faults: RowNote[],
): { variants: PlannedVariant[]; faults: RowNote[] } {
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
      rowFault(
        line,
        columnNameIn(header, OPTION),
        `The variant ${holder} has the same options`,
        valuesOf(variant),
      ),
    )
    return false
  })
  return { variants: unique, faults }
}

const OPTION: CatalogColumn = 'option1_value'

const chosen = ({ optionValues }: VariantRow): string => JSON.stringify(Object.entries(optionValues).sort())
const valuesOf = ({ optionValues }: VariantRow): string => Object.values(optionValues).join(' / ')
