import { writeList } from '#shared/catalog/import/own-format/cell-lists.ts'
import {
  type CatalogColumn,
  optionColumn,
  type TranslatedColumn,
} from '#shared/catalog/import/own-format/columns.ts'
import type { Product } from '#shared/catalog/product.ts'
import { optionValue, type ProductVariant } from '#shared/catalog/variant.ts'
import type { CsvColumn, CsvValue } from '#shared/platform/csv/csv-file.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Texts } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import type { ExportRow } from './export-rows.ts'
import type { ExportSummary } from './summarize-export.ts'

/** Returns the columns of the own format, including those of other languages and of all options of the products. */
export function ownColumns(store: Store, { maxOptions, languages }: ExportSummary): CsvColumn<ExportRow>[] {
  const others = languages.filter((language) => language !== store.defaultLanguage)
  const texts = TEXTS.flatMap(({ column, textsOf }) => [
    ofProduct(column, (product) => textsOf(product)[store.defaultLanguage] ?? null),
    ...others.map((language) =>
      ofProduct(`${column}:${language}`, (product) => textsOf(product)[language] ?? null),
    ),
  ])
  return [
    { name: 'slug', value: ({ exported }) => exported.product.slug },
    ...texts,
    first('manufacturer', ({ exported }) => exported.manufacturer),
    first('categories', ({ exported }) => writeList(exported.categories)),
    ofProduct('tags', ({ tags }) => writeList(tags)),
    ofProduct('is_active', ({ isActive }) => isActive),
    ...Array.from({ length: maxOptions }, (_, index) => optionColumns(index)).flat(),
    { ...ofVariant('sku', ({ sku }) => sku), isCode: true },
    ...priceColumns(store),
    { ...ofVariant('barcode', ({ barcode }) => barcode), isCode: true },
    ofVariant('weight_grams', ({ weightGrams }) => weightGrams),
    ofVariant('stock_on_hand', ({ stockOnHand }) => stockOnHand),
    ofVariant('backorder', ({ backorder }) => backorder),
    ofVariant('variant_is_active', ({ isActive }) => isActive),
    column('variant_image_url', ({ variantImageUrl }) => variantImageUrl),
    column('image_url', ({ image }) => image?.url ?? null),
    column('image_position', ({ image }) => image && image.position + 1),
    column('image_alt', ({ image }) => image?.alt ?? null),
  ]
}

const TEXTS: { column: TranslatedColumn; textsOf: (product: Product) => Texts }[] = [
  { column: 'name', textsOf: ({ nameI18n }) => nameI18n },
  { column: 'description', textsOf: ({ descriptionI18n }) => descriptionI18n },
  { column: 'seo_title', textsOf: ({ seo }) => seo.title_i18n ?? {} },
  { column: 'seo_description', textsOf: ({ seo }) => seo.description_i18n ?? {} },
]

const column = (
  name: CatalogColumn | `${TranslatedColumn}:${string}`,
  value: (row: ExportRow) => CsvValue,
): CsvColumn<ExportRow> => ({ name, value, isExact: true })

/** Returns a column that only the first row of a product has. */
const first = (name: Parameters<typeof column>[0], value: (row: ExportRow) => CsvValue) =>
  column(name, (row) => (row.isFirst ? value(row) : null))

const ofProduct = (name: Parameters<typeof column>[0], value: (product: Product) => CsvValue) =>
  first(name, ({ exported }) => value(exported.product))

const ofVariant = (name: CatalogColumn, value: (variant: ProductVariant) => CsvValue) =>
  column(name, ({ variant }) => variant && value(variant))

const optionColumns = (index: number): CsvColumn<ExportRow>[] => [
  ofProduct(optionColumn(index, 'name'), ({ options }) => options[index]?.name ?? null),
  column(optionColumn(index, 'value'), ({ exported, variant }) => {
    const option = exported.product.options[index]
    return option && variant ? (optionValue(variant.optionValues, option.name) ?? null) : null
  }),
]

function priceColumns({ currency }: Store): CsvColumn<ExportRow>[] {
  const major = (minor: bigint | null) => (minor === null ? null : toMajor(minor, currency))
  return [
    column('price', ({ exported, variant }) =>
      variant ? major(variant.priceMinor ?? exported.product.priceMinor) : null,
    ),
    ofVariant('sale_price', ({ salePriceMinor }) => major(salePriceMinor)),
    ofVariant('sale_starts_at', ({ saleStartsAt }) => saleStartsAt),
    ofVariant('sale_ends_at', ({ saleEndsAt }) => saleEndsAt),
  ]
}
