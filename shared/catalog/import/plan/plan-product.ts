import type { Header } from '#shared/catalog/import/own-format/columns.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-product-row.ts'
import { newProduct, type ProductRow } from '#shared/catalog/import/rows/rows.ts'
import type { FileSettings } from '#shared/imports/file/cell-reader.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { type RowNote, rowFault } from '#shared/imports/file/row-note.ts'
import { smaller } from '#shared/platform/money.ts'
import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import { matchProduct } from './match-product.ts'
import { planFields } from './plan-fields.ts'
import { planImages } from './plan-images.ts'
import { type OptionNames, planOptions } from './plan-options.ts'
import { placePrices, shownPrices } from './plan-prices.ts'
import { type PlannedVariant, planVariants } from './plan-variants.ts'
import { sizeFault } from './size-fault.ts'
import { withChosenValues } from './with-chosen-values.ts'

/** The planned state of a product of the file. */
export interface ProductPlan {
  /** The slug of the handle. */
  slug: string
  line: number
  /** The existing product; null for a new one. */
  before: KnownProduct | null
  product: ProductRow
  /** The variants in the file; other variants of the product do not change. */
  variants: PlannedVariant[]
  /** The name of the manufacturer; null for no change. */
  manufacturer: string | null
  /** The paths of the categories to add the product to. */
  categories: string[][]
}

export interface ProductPlanResult {
  plan: ProductPlan | null
  /** The id of the existing product that the rows match, also if a fault skips it. */
  matchedId: string | null
  /** Faults and warnings. */
  notes: RowNote[]
}

/** The settings for planning products from rows. */
export interface PlanSettings extends FileSettings<Header> {
  /** The store's default language, which is the language of the file. */
  language: string
  renamesDuplicates: boolean
}

/**
 * Plans a product from its rows and the existing catalog at a time. A fault in a cell skips the product, the variant or
 * the image of the cell. The caller claims the SKUs of the plan for the plans of later rows.
 */
export function planProduct(
  rows: ImportRow[],
  known: KnownCatalog,
  { header, language, renamesDuplicates, at }: PlanSettings & { at: Date },
): ProductPlanResult {
  const lead = rows.find(({ product }) => product.name !== null) ?? (rows[0] as ImportRow)
  const before = matchProduct(lead, rows, known)
  const matchedId = before?.product.id ?? null
  const options = planOptions(lead, rows, before, header)
  const missingName = nameFaults(lead, before, header)
  const notes = [...rows.flatMap((row) => row.notes), ...lead.product.faults, ...missingName]
  if ('faults' in options) notes.push(...options.faults)
  if ('faults' in options || lead.product.faults.length || missingName.length)
    return { plan: null, matchedId, notes }

  const base = before?.product ?? newProduct(lead.slug, at)
  const planned = planVariants(rows, {
    productId: base.id,
    slug: lead.slug,
    before,
    names: options.names,
    known,
    header,
    renamesDuplicates,
    at,
  })
  notes.push(...planned.notes)
  const { variants } = planned
  if (!before && variants.length === 0)
    return { plan: null, matchedId, notes: hasFault(notes) ? notes : [...notes, noVariant(lead, header)] }
  const plan = assemble({ lead, rows, base, before, planned: variants, names: options.names, language, at })
  const variantCount = Math.max(variants.length, before?.variants.length ?? 0)
  const field = columnNameIn(header, 'description')
  const tooLarge = sizeFault(plan.product, variantCount, { line: lead.line, field })
  return tooLarge ? { plan: null, matchedId, notes: [...notes, tooLarge] } : { plan, matchedId, notes }
}

const hasFault = (notes: RowNote[]): boolean => notes.some(({ severity }) => severity === 'error')

const noVariant = ({ line }: ImportRow, header: Header) =>
  rowFault(line, columnNameIn(header, 'price'), 'A new product needs a variant, that is, a row with a price')

function nameFaults({ line, product }: ImportRow, before: KnownProduct | null, header: Header): RowNote[] {
  const field = columnNameIn(header, 'name')
  const hasName = product.name !== null || product.translations.some(({ column }) => column === 'name')
  return hasName || before || product.faults.some((fault) => fault.field === field)
    ? []
    : [rowFault(line, field, 'The store has no such product, and a new one needs a title')]
}

interface ProductParts {
  /** The row with the fields of the product. */
  lead: ImportRow
  rows: ImportRow[]
  /** The existing product, or a new one. */
  base: ProductRow
  before: KnownProduct | null
  planned: PlannedVariant[]
  names: OptionNames
  language: string
  at: Date
}

function assemble({ lead, rows, base, before, planned, names, language, at }: ProductParts): ProductPlan {
  const named = new Set(planned.map(({ variant }) => variant.id))
  const others = before?.variants.filter(({ id }) => !named.has(id)) ?? []
  const everyVariant = [...others, ...planned.map(({ variant }) => variant)]
  const prices = placePrices(base.priceMinor, planned, others.length === 0)
  return {
    slug: lead.slug,
    line: lead.line,
    before,
    product: {
      ...base,
      ...planFields(lead.product, base, language),
      priceMinor: prices.productPriceMinor,
      currentPriceMinor: before ? base.currentPriceMinor : lowestPrice(planned, prices.productPriceMinor, at),
      options: withChosenValues(names, base.options, everyVariant),
      images: planImages(
        base.images,
        rows.flatMap(({ image }) => image ?? []),
        planned,
      ),
    },
    variants: planned.map((one, i) => ({
      ...one,
      variant: { ...one.variant, priceMinor: prices.variantPricesMinor[i] ?? null },
    })),
    manufacturer: lead.product.manufacturer,
    categories: lead.product.categories,
  }
}

/** Returns the lowest current price of a new product. It needs no `repriceProducts`, because it has no price rules. */
function lowestPrice(planned: PlannedVariant[], productPriceMinor: bigint, at: Date): bigint {
  const shown = planned
    .filter(({ variant }) => variant.isActive)
    .map(({ variant, priceMinor }) => shownPrices({ ...variant, priceMinor }, at).priceMinor)
  return shown.length ? shown.reduce(smaller) : productPriceMinor
}
