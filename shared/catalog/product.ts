import type { Knex } from 'knex'
import { StoreModel } from '#shared/platform/db/model.ts'

/** Texts by BCP 47 language tag. */
export type Texts = Record<string, string>

/** What a buyer chooses by, and the choices in the order in which they are shown. */
export interface ProductOption {
  name: string
  values: string[]
}

/** A picture; `variant_ids` are the variants it shows, none meaning all. */
export interface ProductImage {
  id: string
  url: string
  alt: string
  position: number
  variant_ids: string[]
}

export interface ProductSeo {
  title_i18n?: Texts
  description_i18n?: Texts
}

/** In millimetres. */
export interface ProductDimensions {
  length: number
  width: number
  height: number
}

/** What a store sells (decisions, section 5). Prices in minor units of the store's currency, weights in grams. */
export class Product extends StoreModel {
  static override tableName = 'products'
  static override jsonAttributes = ['nameI18n', 'descriptionI18n', 'seo', 'dimensions', 'options', 'images']

  declare slug: string
  declare sku: string | null
  declare nameI18n: Texts
  declare descriptionI18n: Texts
  declare seo: ProductSeo
  declare manufacturerId: string | null
  /** Null: it is taxed as the store's default class. */
  declare taxClassId: string | null
  /** What storefronts say when nothing is in stock; null: a plain sentence. */
  declare stockStatusId: string | null
  declare priceMinor: bigint
  /** The lowest price of one unit now; kept by `repriceProducts`, for lists. */
  declare currentPriceMinor: bigint
  declare weightGrams: number | null
  declare dimensions: ProductDimensions | null
  declare options: ProductOption[]
  declare images: ProductImage[]
  declare tags: string[]
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}

/** The arguments of a query's `join`: the products `p`, deleted ones too, of a table that has a `product_id`. */
export const joinProducts = (table: string) =>
  [
    'products as p',
    (on: Knex.JoinClause) => on.on('p.store_id', `${table}.store_id`).on('p.id', `${table}.product_id`),
  ] as const

/** SQL: whether the product of a row that has a `product_id` is not deleted. */
export const hasLiveProductSql = (row: string): string => `exists (
  select from products p where p.store_id = ${row}.store_id and p.id = ${row}.product_id and p.deleted_at is null)`
