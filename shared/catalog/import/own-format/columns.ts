import type { CellReader } from '#shared/imports/file/cell-reader.ts'
import type { FileHeader } from '#shared/imports/file/header.ts'

/** The most options of a product, and so of a file. */
export const MAX_OPTIONS = 10

/** The columns of the own format. Every other format is mapped to these. */
export const COLUMNS = [
  'slug',
  'name',
  'description',
  'manufacturer',
  'type',
  'categories',
  'tags',
  'is_active',
  'status',
  'sku',
  'price',
  'compare_at_price',
  'sale_price',
  'sale_starts_at',
  'sale_ends_at',
  'barcode',
  'weight_grams',
  'stock_on_hand',
  'backorder',
  'inventory_tracker',
  'inventory_policy',
  'variant_is_active',
  'variant_image_url',
  'image_url',
  'image_position',
  'image_alt',
  'seo_title',
  'seo_description',
] as const

/** The column with the name or value of an option, counted from 1. */
export type OptionColumn = `option${number}_${'name' | 'value'}`
export type CatalogColumn = (typeof COLUMNS)[number] | OptionColumn

/** Returns the column of an option's name or value, by its position from 0. */
export const optionColumn = (index: number, part: 'name' | 'value'): OptionColumn =>
  `option${index + 1}_${part}`

/** Columns that exist once per language: `name:de`. */
export const TRANSLATED = ['name', 'description', 'seo_title', 'seo_description'] as const
export type TranslatedColumn = (typeof TRANSLATED)[number]

/** A column with the texts of one language. */
export interface Translation {
  column: TranslatedColumn
  language: string
  index: number
}

/** The columns of a product file. */
export interface Header extends FileHeader<CatalogColumn> {
  /** By index. */
  translations: Translation[]
  /** The positions of options, counted from 0. */
  optionIndexes: number[]
}

/** Reads the cells of a row of a product file. */
export type ProductReader = CellReader<CatalogColumn, Header>
