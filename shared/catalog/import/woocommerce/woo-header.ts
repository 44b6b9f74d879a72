import { type CatalogColumn, type Header, optionColumn } from '#shared/catalog/import/own-format/columns.ts'
import { matchColumns } from '#shared/imports/file/match-header.ts'
import { toEnglish } from './woo-translations.ts'

/**
 * The imported columns of WooCommerce, with their columns in the own format. The name of the weight column contains the
 * shop's unit.
 */
export const WOO_NAMES: Record<string, CatalogColumn> = {
  Parent: 'slug',
  Type: 'type',
  Name: 'name',
  Description: 'description',
  Brands: 'manufacturer',
  Categories: 'categories',
  Tags: 'tags',
  Published: 'is_active',
  SKU: 'sku',
  'GTIN, UPC, EAN, or ISBN': 'barcode',
  'Regular price': 'price',
  'Sale price': 'sale_price',
  'Date sale price starts': 'sale_starts_at',
  'Date sale price ends': 'sale_ends_at',
  'Weight (kg)': 'weight_grams',
  'Weight (g)': 'weight_grams',
  'Weight (lbs)': 'weight_grams',
  'Weight (oz)': 'weight_grams',
  Stock: 'stock_on_hand',
  'Backorders allowed?': 'backorder',
  Images: 'image_url',
}

const GRAMS: Record<string, number> = { kg: 1_000, g: 1, lbs: 453.59237, oz: 28.349523125 }
/** The most attributes that are read of each row. A shop has about ten. */
const MAX_ATTRIBUTES = 100
const ATTRIBUTE_NAME = /^attribute (\d+) name$/

/** The indexes of the cells in a WooCommerce file. */
export interface WooColumns {
  at: Header['at']
  /** Columns without a counterpart in the own format: id, short description, in stock. */
  id: number
  shortDescription: number
  inStock: number
  gramsPerUnit: number
  attributes: { name: number; value: number }[]
  names: string[]
}

/** Returns the columns of a file by its first row. */
export function readWooColumns(cells: readonly string[]): WooColumns {
  const names = cells.map((cell) => cell.trim())
  const english = names.map(toEnglish)
  return wooColumns({ at: matchColumns(english, WOO_NAMES), names }, english)
}

function wooColumns(
  { at, names }: Pick<Header, 'at' | 'names'>,
  translated: readonly string[] = names.map(toEnglish),
): WooColumns {
  const english = translated.map((name) => name.toLowerCase())
  const indexes = firstIndexes(english)
  const find = (name: string) => indexes.get(name) ?? -1
  const unit = /\((\w+)\)/.exec(english[at.weight_grams ?? -1] ?? '')?.[1] ?? 'kg'
  const attributes: WooColumns['attributes'] = []
  for (const [index, name] of english.entries()) {
    if (attributes.length === MAX_ATTRIBUTES) break
    const [, number] = ATTRIBUTE_NAME.exec(name) ?? []
    const value = number === undefined ? -1 : find(`attribute ${number} value(s)`)
    if (value >= 0) attributes.push({ name: index, value })
  }
  return {
    at,
    id: find('id'),
    shortDescription: find('short description'),
    inStock: find('in stock?'),
    gramsPerUnit: GRAMS[unit] ?? 1_000,
    attributes,
    names,
  }
}

/** Returns the first index of each name. A search for each of 20,000 columns would block the process for a second. */
function firstIndexes(names: readonly string[]): Map<string, number> {
  const indexes = new Map<string, number>()
  for (const [index, name] of names.entries()) if (!indexes.has(name)) indexes.set(name, index)
  return indexes
}

/** The columns of the own format that WooCommerce rows are converted to, in sequence. */
export const WOO_ROW = [
  'slug',
  'name',
  'description',
  'manufacturer',
  'categories',
  'tags',
  'is_active',
  'sku',
  'barcode',
  'price',
  'sale_price',
  'sale_starts_at',
  'sale_ends_at',
  'weight_grams',
  'stock_on_hand',
  'backorder',
  'variant_is_active',
  'variant_image_url',
  'image_url',
] as const satisfies CatalogColumn[]

const OPTION_INDEXES = Array.from({ length: 10 }, (_, index) => index)

/** Returns the header of the converted rows. Faults name the columns of the WooCommerce file. */
export function wooHeader(source: Header): Header {
  const columns = [
    ...WOO_ROW,
    ...OPTION_INDEXES.flatMap((index) => [optionColumn(index, 'name'), optionColumn(index, 'value')]),
  ]
  const { id, shortDescription, inStock, attributes } = wooColumns(source)
  const indexes = firstIndexes(source.names)
  const read = new Set<number | undefined>([
    id,
    shortDescription,
    inStock,
    ...attributes.flatMap((one) => Object.values(one)),
  ])
  return {
    format: 'woocommerce',
    at: Object.fromEntries(columns.map((column, index) => [column, index])),
    translations: [],
    names: columns.map(
      (column) => source.names[source.at[column] ?? -1] ?? ATTRIBUTE_NAMES[column] ?? column,
    ),
    optionIndexes: OPTION_INDEXES,
    ignored: source.ignored.filter((name) => !read.has(indexes.get(name))),
  }
}

const ATTRIBUTE_NAMES: Record<string, string> = Object.fromEntries(
  OPTION_INDEXES.flatMap((index) => [
    [optionColumn(index, 'name'), `Attribute ${index + 1} name`],
    [optionColumn(index, 'value'), `Attribute ${index + 1} value(s)`],
  ]),
)
