import { type RowFault, rowFault } from './cells.ts'
import { DEFAULT_TITLE } from './generate-sku.ts'
import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import { type OptionNames, optionColumn } from './plan-options.ts'
import type { ImportRow } from './read-row.ts'
import type { VariantCells } from './read-variant-cells.ts'
import { newVariant, type VariantRow } from './rows.ts'

/** What becomes of a variant: `before` is how it stands, null when it is new. */
export interface PlannedVariant {
  line: number
  before: VariantRow | null
  variant: VariantRow
  imageUrl: string | null
}

interface Setting {
  productId: string
  slug: string
  before: KnownProduct | null
  names: OptionNames
  known: KnownCatalog
}

type Choice = Record<string, string>

/** Decides what becomes of each variant row of a product. A row at fault is left out, and the fault answered. */
export function planVariants(
  rows: ImportRow[],
  setting: Setting,
): { variants: PlannedVariant[]; faults: RowFault[] } {
  const faults: RowFault[] = []
  const variants: PlannedVariant[] = []
  let position = Math.max(-1, ...(setting.before?.variants ?? []).map((variant) => variant.position))
  for (const { line, variant: cells } of rows) {
    if (!cells) continue
    const choice = readChoice(line, cells, setting.names)
    const match = Array.isArray(choice) ? choice : matchVariant(line, cells, choice, setting)
    if (Array.isArray(match)) faults.push(...match)
    else {
      setting.known.claimedSkus.set(match.sku, { slug: setting.slug, line })
      const before = match.before
      const base = before ?? newVariant(setting.productId, match.sku, ++position)
      const variant = { ...base, ...written(cells, base), optionValues: choice as Choice }
      variants.push({ line, before, variant, imageUrl: cells.imageUrl })
    }
  }
  return withoutDoubles(variants, setting, faults)
}

/** The value chosen of each option; a list of faults when they are not those of the product. */
function readChoice(line: number, { optionValues }: VariantCells, names: OptionNames): Choice | RowFault[] {
  const faults: RowFault[] = []
  const choice: Choice = {}
  for (const [place, value] of optionValues.entries()) {
    const name = names[place] ?? null
    const column = optionColumn(place, 'Value')
    if (name !== null && value !== null) choice[name] = value
    else if (name !== null) faults.push(rowFault(line, column, `Say which ${name} this is`))
    else if (value !== null && value !== DEFAULT_TITLE)
      faults.push(rowFault(line, column, "The product's first row names no option here", value))
  }
  return faults.length ? faults : choice
}

interface Match {
  sku: string
  before: VariantRow | null
}

/** The variant a row is about: by its SKU, else by its options; a fault when another row or product has its SKU. */
function matchVariant(
  line: number,
  cells: VariantCells,
  choice: Choice,
  setting: Setting,
): Match | RowFault[] {
  const { known, slug, productId } = setting
  const before = cells.sku === null ? byChoice(setting, choice) : known.bySku.get(cells.sku)
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

const byChoice = ({ before, names }: Setting, choice: Choice): VariantRow | undefined =>
  before?.variants.find((variant) => combination(variant.optionValues, names) === combination(choice, names))

const combination = (choice: Choice, names: OptionNames): string =>
  JSON.stringify(names.map((name) => choice[name ?? '']))

/** What the file says of a variant; what it says nothing of stays. */
const written = (cells: VariantCells, base: VariantRow): Partial<VariantRow> => ({
  priceMinor: cells.priceMinor,
  salePriceMinor: cells.salePriceMinor,
  saleStartsAt: null,
  saleEndsAt: null,
  barcode: cells.barcode ?? base.barcode,
  weightGrams: cells.weightGrams ?? base.weightGrams,
  stockOnHand: cells.stockOnHand ?? base.stockOnHand,
  backorder: cells.backorder ?? base.backorder,
})

/** Leaves out rows whose combination of options an earlier row, or a variant that the file leaves alone, has. */
function withoutDoubles(
  variants: PlannedVariant[],
  { before, known }: Setting,
  faults: RowFault[],
): { variants: PlannedVariant[]; faults: RowFault[] } {
  const named = new Set(variants.map(({ variant }) => variant.id))
  const holders = new Map<string, string>()
  for (const variant of before?.variants ?? [])
    if (!named.has(variant.id)) holders.set(chosen(variant), variant.sku)
  const sound = variants.filter(({ line, variant }) => {
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
  return { variants: sound, faults }
}

const chosen = ({ optionValues }: VariantRow): string => JSON.stringify(Object.entries(optionValues).sort())
const valuesOf = ({ optionValues }: VariantRow): string => Object.values(optionValues).join(' / ')
