import type { Texts } from '#shared/platform/text.ts'
import { type RowFault, rowFault } from './cells.ts'
import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import { matchProduct } from './match-product.ts'
import { planImages } from './plan-images.ts'
import { type OptionNames, planOptions, withChosenValues } from './plan-options.ts'
import { type PlannedVariant, planVariants } from './plan-variants.ts'
import type { ProductCells } from './read-product-cells.ts'
import type { ImportRow } from './read-row.ts'
import { newProduct, type ProductRow, type VariantRow } from './rows.ts'

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
  /** Names of the manufacturer and the category; null: no change. */
  vendor: string | null
  type: string | null
}

export interface Planned {
  plan: ProductPlan | null
  faults: RowFault[]
}

/**
 * Plans a product from its rows and the existing catalog. A fault in a product cell skips the product, a fault in a variant
 * cell the variant, a fault in an image cell the image.
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
  // Variants outside the file use the product's price, so it does not change.
  const priceMinor = others.length ? base.priceMinor : (planned[0]?.variant.priceMinor ?? base.priceMinor)
  return {
    slug: lead.slug,
    line: lead.line,
    before,
    product: {
      ...base,
      ...toFields(lead.product, base, language),
      priceMinor,
      options: withChosenValues(names, base.options, everyVariant),
      images: planImages(
        base.images,
        rows.flatMap(({ image }) => image ?? []),
        planned,
      ),
    },
    variants: planned.map((one) => ({ ...one, variant: withoutEqualPrice(one.variant, priceMinor) })),
    vendor: lead.product.vendor,
    type: lead.product.type,
  }
}

/** A variant with the product's price stores null: the product's price applies. */
const withoutEqualPrice = (variant: VariantRow, priceMinor: bigint): VariantRow => ({
  ...variant,
  priceMinor: variant.priceMinor === priceMinor ? null : variant.priceMinor,
})

/** The product fields of the file, in the store's default language. Blank cells keep the existing values. */
function toFields(cells: ProductCells, base: ProductRow, language: string): Partial<ProductRow> {
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
