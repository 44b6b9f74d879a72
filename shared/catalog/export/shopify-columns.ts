import { writeList } from '#shared/catalog/import/own-format/cell-lists.ts'
import { shownPrices } from '#shared/catalog/import/plan/plan-prices.ts'
import { DEFAULT_TITLE } from '#shared/catalog/import/rows/read-variant-cells.ts'
import type { Product } from '#shared/catalog/product.ts'
import { optionValue, type ProductVariant } from '#shared/catalog/variant.ts'
import type { CsvColumn, CsvValue } from '#shared/platform/csv/csv-file.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import type { ExportRow } from './export-rows.ts'

/** Shopify's limit. A product with more options is exported without options. */
const MAX_OPTIONS = 3

/**
 * Returns the columns of Shopify's product export. It has one language, and one type instead of several categories. It
 * has no columns for sales that have not started, and none for unpublished variants.
 */
export function shopifyColumns(store: Store): CsvColumn<ExportRow>[] {
  const text = (texts: Texts | undefined) => textIn(texts ?? {}, store.defaultLanguage)
  return [
    { name: 'Handle', value: ({ exported }) => exported.product.slug },
    ofProduct('Title', ({ nameI18n }) => text(nameI18n)),
    ofProduct('Body (HTML)', ({ descriptionI18n }) => text(descriptionI18n)),
    first('Vendor', ({ exported }) => exported.manufacturer),
    first('Type', ({ exported }) => exported.categories[0] ?? null),
    ofProduct('Tags', ({ tags }) => writeList(tags)),
    ofProduct('Published', ({ isActive }) => isActive),
    ...[0, 1, 2].flatMap(optionColumns),
    { ...ofVariant('Variant SKU', ({ sku }) => sku), isCode: true },
    ofVariant('Variant Grams', ({ weightGrams }) => weightGrams),
    ofVariant('Variant Inventory Tracker', () => 'shopify'),
    ofVariant('Variant Inventory Qty', ({ stockOnHand }) => stockOnHand),
    ofVariant('Variant Inventory Policy', ({ backorder }) => (backorder ? 'continue' : 'deny')),
    ofVariant('Variant Fulfillment Service', () => 'manual'),
    ...priceColumns(store),
    { ...ofVariant('Variant Barcode', ({ barcode }) => barcode), isCode: true },
    column('Image Src', ({ image }) => image?.url ?? null),
    column('Image Position', ({ image }) => image && image.position + 1),
    column('Image Alt Text', ({ image }) => image?.alt ?? null),
    ofProduct('SEO Title', ({ seo }) => text(seo.title_i18n)),
    ofProduct('SEO Description', ({ seo }) => text(seo.description_i18n)),
    column('Variant Image', ({ variantImageUrl }) => variantImageUrl),
    ofProduct('Status', ({ isActive }) => (isActive ? 'active' : 'draft')),
  ]
}

const textIn = (texts: Texts, language: string): string | null =>
  texts[language] ?? Object.values(texts)[0] ?? null

const column = (name: string, value: (row: ExportRow) => CsvValue): CsvColumn<ExportRow> => ({
  name,
  value,
  isExact: true,
})

/** Returns a column that only the first row of a product has. */
const first = (name: string, value: (row: ExportRow) => CsvValue) =>
  column(name, (row) => (row.isFirst ? value(row) : null))

const ofProduct = (name: string, value: (product: Product) => CsvValue) =>
  first(name, ({ exported }) => value(exported.product))

const ofVariant = (name: string, value: (variant: ProductVariant) => CsvValue) =>
  column(name, ({ variant }) => variant && value(variant))

/**
 * Returns the columns of an option. A product without options gets one option with one value, which `importProducts`
 * reads as none.
 */
const optionColumns = (index: number): CsvColumn<ExportRow>[] => [
  ofProduct(`Option${index + 1} Name`, ({ options }) => {
    if (options.length === 0) return index === 0 ? 'Title' : null
    return options.length > MAX_OPTIONS ? null : (options[index]?.name ?? null)
  }),
  column(`Option${index + 1} Value`, ({ exported: { product }, variant }) => {
    const { options } = product
    if (!variant || options.length > MAX_OPTIONS) return null
    if (options.length === 0) return index === 0 ? DEFAULT_TITLE : null
    return optionValue(variant.optionValues, options[index]?.name ?? '') ?? null
  }),
]

function priceColumns({ currency }: Store): CsvColumn<ExportRow>[] {
  const at = now()
  const shown = ({ exported, variant }: ExportRow) =>
    variant &&
    shownPrices({ ...saleOf(variant), priceMinor: variant.priceMinor ?? exported.product.priceMinor }, at)
  const major = (minor: bigint | null | undefined) => (minor == null ? null : toMajor(minor, currency))
  return [
    column('Variant Price', (row) => major(shown(row)?.priceMinor)),
    column('Variant Compare At Price', (row) => major(shown(row)?.compareAtMinor)),
  ]
}

const saleOf = ({ salePriceMinor, saleStartsAt, saleEndsAt }: ProductVariant) => ({
  salePriceMinor,
  saleStartsAt,
  saleEndsAt,
})
