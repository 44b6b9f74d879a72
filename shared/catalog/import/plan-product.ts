import type { Texts } from '../product.ts'
import { type RowFault, rowFault } from './cells.ts'
import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import { matchProduct } from './match-product.ts'
import { planImages } from './plan-images.ts'
import { type OptionNames, planOptions, withChosenValues } from './plan-options.ts'
import { type PlannedVariant, planVariants } from './plan-variants.ts'
import type { ProductCells } from './read-product-cells.ts'
import type { ImportRow } from './read-row.ts'
import { newProduct, type ProductRow, type VariantRow } from './rows.ts'

/** What becomes of a product of the file. */
export interface ProductPlan {
  /** By the file. */
  slug: string
  line: number
  /** How it stands; null when it is new. */
  before: KnownProduct | null
  product: ProductRow
  /** Those the file names; the product's others stay as they are. */
  variants: PlannedVariant[]
  /** Names of what it is to be found under; null: as before. */
  vendor: string | null
  type: string | null
}

export interface Planned {
  plan: ProductPlan | null
  faults: RowFault[]
}

/**
 * Decides what becomes of a product from its rows and from what is known. A fault of the product's own cells leaves
 * it out whole; a fault of a variant leaves out that variant; a fault of a picture that picture.
 */
export function planProduct(rows: ImportRow[], known: KnownCatalog, language: string): Planned {
  const lead = rows.find(({ product }) => product.title !== null) ?? (rows[0] as ImportRow)
  const before = matchProduct(lead, rows, known)
  if (before) known.matchedIds.add(before.product.id)
  const options = planOptions(lead, rows, before)
  const faults = [...rows.flatMap((row) => row.faults), ...lead.product.faults, ...titleFaults(lead, before)]
  if ('faults' in options) faults.push(...options.faults)
  if ('faults' in options || lead.product.faults.length || titleFaults(lead, before).length)
    return { plan: null, faults }

  const base = before?.product ?? newProduct(lead.slug)
  const planned = planVariants(rows, {
    productId: base.id,
    slug: lead.slug,
    before,
    names: options.names,
    known,
  })
  faults.push(...planned.faults)
  const { variants } = planned
  if (!before && variants.length === 0)
    return { plan: null, faults: faults.length ? faults : [rowFault(lead.line, 'Variant Price', NO_VARIANT)] }
  return { plan: assemble(lead, rows, base, before, variants, options.names, language), faults }
}

const NO_VARIANT = 'A new product needs a variant, that is, a row with a price'

const titleFaults = ({ line, product }: ImportRow, before: KnownProduct | null): RowFault[] =>
  product.title === null && !before && product.faults.every(({ field }) => field !== 'Title')
    ? [rowFault(line, 'Title', 'The store has no such product, and a new one needs a title')]
    : []

function assemble(
  lead: ImportRow,
  rows: ImportRow[],
  base: ProductRow,
  before: KnownProduct | null,
  planned: PlannedVariant[],
  names: OptionNames,
  language: string,
): ProductPlan {
  const named = new Set(planned.map(({ variant }) => variant.id))
  const others = before?.variants.filter(({ id }) => !named.has(id)) ?? []
  const everyVariant = [...others, ...planned.map(({ variant }) => variant)]
  // A price that variants outside the file go by is not theirs to change.
  const priceMinor = others.length ? base.priceMinor : (planned[0]?.variant.priceMinor ?? base.priceMinor)
  return {
    slug: lead.slug,
    line: lead.line,
    before,
    product: {
      ...base,
      ...written(lead.product, base, language),
      priceMinor,
      options: withChosenValues(names, base.options, everyVariant),
      images: planImages(
        base.images,
        rows.flatMap(({ image }) => image ?? []),
        planned,
      ),
    },
    variants: planned.map((one) => ({ ...one, variant: asDifference(one.variant, priceMinor) })),
    vendor: lead.product.vendor,
    type: lead.product.type,
  }
}

/** A variant that costs what the product costs goes by the product's price. */
const asDifference = (variant: VariantRow, priceMinor: bigint): VariantRow => ({
  ...variant,
  priceMinor: variant.priceMinor === priceMinor ? null : variant.priceMinor,
})

/** What the file says of a product, in the store's default language; what it says nothing of stays. */
function written(cells: ProductCells, base: ProductRow, language: string): Partial<ProductRow> {
  const { seo } = base
  return {
    nameI18n: withText(base.nameI18n, language, cells.title),
    descriptionI18n: withText(base.descriptionI18n, language, cells.html),
    seo: {
      ...seo,
      ...(cells.seoTitle ? { title_i18n: withText(seo.title_i18n, language, cells.seoTitle) } : {}),
      ...(cells.seoDescription
        ? { description_i18n: withText(seo.description_i18n, language, cells.seoDescription) }
        : {}),
    },
    tags: cells.tags ?? base.tags,
    isActive: cells.isActive ?? base.isActive,
  }
}

const withText = (texts: Texts = {}, language: string, text: string | null): Texts =>
  text === null ? texts : { ...texts, [language]: text }
