import { MAX_PRODUCT_BYTES } from '#shared/catalog/emit-product.ts'
import type { Header, TranslatedColumn } from '#shared/catalog/import/own-format/columns.ts'
import type { ProductCells } from '#shared/catalog/import/rows/read-product-cells.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-row.ts'
import { newProduct, type ProductRow } from '#shared/catalog/import/rows/rows.ts'
import { type FileSettings, type RowNote, rowFault } from '#shared/imports/file/cells.ts'
import { columnNameIn } from '#shared/imports/file/header.ts'
import { smaller } from '#shared/platform/money.ts'
import type { Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import { matchProduct } from './match-product.ts'
import { planImages } from './plan-images.ts'
import { type OptionNames, planOptions, withChosenValues } from './plan-options.ts'
import { placePrices, shownPrices } from './plan-prices.ts'
import { type PlannedVariant, planVariants } from './plan-variants.ts'

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
  /** The name of the manufacturer; null: no change. */
  manufacturer: string | null
  /** Paths of categories, in which the product is put. */
  categories: string[][]
}

export interface ProductPlanResult {
  plan: ProductPlan | null
  /** Faults and warnings. */
  notes: RowNote[]
}

/** The rules by which rows become products. */
export interface PlanSettings extends FileSettings<Header> {
  /** The store's default language, which is the language of the file. */
  language: string
  renamesDuplicates: boolean
}

/**
 * Plans a product from its rows and the existing catalog. A fault in a product cell skips the product, a fault in a
 * variant cell the variant, a fault in an image cell the image.
 */
export function planProduct(
  rows: ImportRow[],
  known: KnownCatalog,
  settings: PlanSettings,
): ProductPlanResult {
  const { header, language, renamesDuplicates } = settings
  const lead = rows.find(({ product }) => product.name !== null) ?? (rows[0] as ImportRow)
  const before = matchProduct(lead, rows, known)
  if (before) known.matchedIds.add(before.product.id)
  const options = planOptions(lead, rows, before, header)
  const nameless = nameFaults(lead, before, header)
  const notes = [...rows.flatMap((row) => row.notes), ...lead.product.faults, ...nameless]
  if ('faults' in options) notes.push(...options.faults)
  if ('faults' in options || lead.product.faults.length || nameless.length) return { plan: null, notes }

  const base = before?.product ?? newProduct(lead.slug)
  const planned = planVariants(rows, {
    productId: base.id,
    slug: lead.slug,
    before,
    names: options.names,
    known,
    header,
    renamesDuplicates,
  })
  notes.push(...planned.faults)
  const { variants } = planned
  if (!before && variants.length === 0)
    return { plan: null, notes: hasFault(notes) ? notes : [...notes, noVariant(lead, header)] }
  const plan = assemble(lead, rows, base, before, variants, options.names, language)
  return isTooLarge(plan) ? { plan: null, notes: [...notes, tooLarge(lead, header)] } : { plan, notes }
}

// A variant as JSON without its metadata and the values of its options.
const VARIANT_BYTES = 450

/** As `emitProduct` counts, about: the view is made when the product is saved. */
function isTooLarge({ product, variants, before }: ProductPlan): boolean {
  const { nameI18n, descriptionI18n, seo, options, images, tags } = product
  const texts = JSON.stringify([nameI18n, descriptionI18n, seo, options, images, tags])
  const count = Math.max(variants.length, before?.variants.length ?? 0)
  return Buffer.byteLength(texts) + count * VARIANT_BYTES > MAX_PRODUCT_BYTES
}

const tooLarge = ({ line }: ImportRow, header: Header) =>
  rowFault(
    line,
    columnNameIn(header, 'description'),
    `The product and its variants would take more than ${MAX_PRODUCT_BYTES} bytes. Shorten its texts, or divide it`,
  )

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
  const prices = placePrices(base.priceMinor, planned, others.length === 0)
  return {
    slug: lead.slug,
    line: lead.line,
    before,
    product: {
      ...base,
      ...toFields(lead.product, base, language),
      priceMinor: prices.productPriceMinor,
      currentPriceMinor: before ? base.currentPriceMinor : lowestPrice(planned, prices.productPriceMinor),
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

/** The lowest current price of a new product. It has no price rules, so `repriceProducts` has nothing to write. */
function lowestPrice(planned: PlannedVariant[], productPriceMinor: bigint): bigint {
  const at = now()
  const shown = planned
    .filter(({ variant }) => variant.isActive)
    .map(({ variant, priceMinor }) => shownPrices({ ...variant, priceMinor }, at).priceMinor)
  return shown.length ? shown.reduce(smaller) : productPriceMinor
}

/** The product fields of the file. Blank cells keep the existing values. */
function toFields(cells: ProductCells, base: ProductRow, language: string): Partial<ProductRow> {
  const texts = (column: TranslatedColumn, before: Texts | undefined, text: string | null): Texts => {
    const own = withText(before ?? {}, language, text)
    const translated = cells.translations.filter((one) => one.column === column)
    return { ...own, ...Object.fromEntries(translated.map((one) => [one.language, one.text])) }
  }
  const title = texts('seo_title', base.seo.title_i18n, cells.seoTitle)
  const description = texts('seo_description', base.seo.description_i18n, cells.seoDescription)
  return {
    nameI18n: texts('name', base.nameI18n, cells.name),
    descriptionI18n: texts('description', base.descriptionI18n, cells.description),
    seo: {
      ...base.seo,
      ...(Object.keys(title).length ? { title_i18n: title } : {}),
      ...(Object.keys(description).length ? { description_i18n: description } : {}),
    },
    tags: cells.tags ?? base.tags,
    isActive: cells.isActive ?? base.isActive,
  }
}

/** The texts with one of the default language. A product without one is exported with the text of another language. */
const withText = (texts: Texts, language: string, text: string | null): Texts =>
  text === null || (texts[language] === undefined && Object.values(texts).includes(text))
    ? texts
    : { ...texts, [language]: text }
