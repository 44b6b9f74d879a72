import { type CatalogColumn, type Header, optionColumn } from '#shared/catalog/import/own-format/columns.ts'
import { toEnglish } from './woo-translations.ts'

/** WooCommerce's columns that are read, by what they become. Weights have the unit of the shop in their name. */
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
const ATTRIBUTE = /^attribute (\d+) (name|value\(s\))$/i

/** Where the cells of a WooCommerce file are. */
export interface WooColumns {
  at: Header['at']
  /** Columns that have no counterpart: id, the short description, whether it is in stock. */
  id: number
  shortDescription: number
  inStock: number
  gramsPerUnit: number
  attributes: { name: number; value: number }[]
  names: string[]
}

export function wooColumns({ at, names }: Pick<Header, 'at' | 'names'>): WooColumns {
  const english = names.map((name) => toEnglish(name).toLowerCase())
  const find = (name: string) => english.indexOf(name)
  const unit = /\((\w+)\)/.exec(english[at.weight_grams ?? -1] ?? '')?.[1] ?? 'kg'
  const attributes = english.flatMap((name, index) => {
    const [, number, part] = ATTRIBUTE.exec(name) ?? []
    const value = part?.toLowerCase() === 'name' ? find(`attribute ${number} value(s)`) : -1
    return value < 0 ? [] : [{ name: index, value }]
  })
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

/** The columns of the own format that the rows of a WooCommerce file become, in their order. */
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

const PLACES = Array.from({ length: 10 }, (_, place) => place)

/** The header of the rows that a WooCommerce file becomes, with the file's own names for faults. */
export function wooHeader(source: Header): Header {
  const columns = [
    ...WOO_ROW,
    ...PLACES.flatMap((place) => [optionColumn(place, 'name'), optionColumn(place, 'value')]),
  ]
  const { id, shortDescription, inStock, attributes } = wooColumns(source)
  const read = new Set([id, shortDescription, inStock, ...attributes.flatMap((one) => Object.values(one))])
  return {
    format: 'woocommerce',
    at: Object.fromEntries(columns.map((column, index) => [column, index])),
    translations: [],
    names: columns.map(
      (column) => source.names[source.at[column] ?? -1] ?? ATTRIBUTE_NAMES[column] ?? column,
    ),
    optionPlaces: PLACES,
    ignored: source.ignored.filter((name) => !read.has(source.names.indexOf(name))),
  }
}

const ATTRIBUTE_NAMES: Record<string, string> = Object.fromEntries(
  PLACES.flatMap((place) => [
    [optionColumn(place, 'name'), `Attribute ${place + 1} name`],
    [optionColumn(place, 'value'), `Attribute ${place + 1} value(s)`],
  ]),
)
