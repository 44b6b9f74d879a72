import type { Knex } from 'knex'
import { StoreModel } from '#shared/platform/db/model.ts'
import { readInPieces } from '#shared/platform/db/read-in-pieces.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import type { Texts } from '#shared/platform/text.ts'
import { findPriceRules, type PriceRule } from './price-rule.ts'
import { type AttributeAssignment, findAttributes } from './product-attribute.ts'
import { findCategoryIds } from './product-category.ts'
import type { ProductImage } from './product-image.ts'
import { findRelatedIds } from './related-product.ts'
import { ProductVariant } from './variant.ts'

/** An option, e.g. the size, with its values in display sequence. Buyers choose a variant by options. */
export interface ProductOption {
  name: string
  values: string[]
}

export interface ProductSeo {
  title_i18n?: Texts
  description_i18n?: Texts
}

/** The dimensions in millimetres. */
export interface ProductDimensions {
  length: number
  width: number
  height: number
}

/** A product of a store. Prices are in minor units of the store's currency, weights in grams. */
export class Product extends StoreModel {
  static override tableName = 'products'
  static override jsonAttributes = [
    'nameI18n',
    'descriptionI18n',
    'seo',
    'dimensions',
    'options',
    'images',
    'metadata',
  ]

  declare slug: string
  declare sku: string | null
  declare nameI18n: Texts
  declare descriptionI18n: Texts
  declare seo: ProductSeo
  declare manufacturerId: string | null
  /** Null for the store's default tax class. */
  declare taxClassId: string | null
  /** The text that storefronts show if the product is out of stock; null for a default text. */
  declare stockStatusId: string | null
  declare priceMinor: bigint
  /** The lowest current price of one unit, for lists. Written by `repriceProducts`. */
  declare currentPriceMinor: bigint
  declare weightGrams: number | null
  declare dimensions: ProductDimensions | null
  declare options: ProductOption[]
  declare images: ProductImage[]
  declare tags: string[]
  declare metadata: Metadata
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}

/** A product with its parts. */
export interface WholeProduct {
  product: Product
  /** The variants by position. */
  variants: ProductVariant[]
  categoryIds: string[]
  /** The attributes, sorted by group. */
  attributes: AttributeAssignment[]
  priceRules: PriceRule[]
  /** The related products, in the sequence that staff chose. */
  relatedIds: string[]
}

/** Loads the parts of products, with one query for each kind of part. */
export async function loadParts(tx: StoreTx, products: Product[]): Promise<WholeProduct[]> {
  const ids = products.map(({ id }) => id)
  const variants = Map.groupBy(await findVariants(tx, ids), ({ productId }) => productId)
  const categoryIds = await findCategoryIds(tx, ids)
  const attributes = await findAttributes(tx, ids)
  const priceRules = await findPriceRules(tx, ids)
  const related = await findRelatedIds(tx, ids)
  return products.map((product) => ({
    product,
    variants: variants.get(product.id) ?? [],
    categoryIds: categoryIds.get(product.id) ?? [],
    attributes: attributes.get(product.id) ?? [],
    priceRules: priceRules.get(product.id) ?? [],
    relatedIds: related.get(product.id) ?? [],
  }))
}

/**
 * Returns the variants of products by position. For a deleted product these are the variants that were deleted with it.
 */
export const findVariants = (tx: StoreTx, productIds: string[]): Promise<ProductVariant[]> =>
  readInPieces(
    ProductVariant.in(tx)
      .whereIn('product_id', productIds)
      .whereRaw(
        `deleted_at is not distinct from (
           select p.deleted_at from products p
           where p.store_id = product_variants.store_id and p.id = product_variants.product_id)`,
      ),
    ['productId', 'position', 'id'],
  )

/** Returns a product that is not deleted, with its parts. Throws `resource.not_found`. */
export async function findProduct(tx: StoreTx, productId: string): Promise<WholeProduct> {
  return toWhole(tx, await Product.in(tx).findById(productId).whereNull('deleted_at'))
}

/** Finds a product and locks its row until the transaction ends. Throws like `findProduct`. */
export async function lockProduct(tx: StoreTx, productId: string): Promise<WholeProduct> {
  return toWhole(tx, await Product.in(tx).findById(productId).whereNull('deleted_at').forNoKeyUpdate())
}

async function toWhole(tx: StoreTx, product: Product | undefined): Promise<WholeProduct> {
  const [whole] = product ? await loadParts(tx, [product]) : []
  if (!whole) throw CommonErrors.notFound()
  return whole
}

/**
 * Returns the arguments of `join` for a table with a `product_id`. It joins the products `p`, including deleted ones.
 */
export const joinProducts = (table: string) =>
  [
    'products as p',
    (on: Knex.JoinClause) => on.on('p.store_id', `${table}.store_id`).on('p.id', `${table}.product_id`),
  ] as const

/** SQL: whether the product of a row with a `product_id` is not deleted. */
export const hasLiveProductSql = (row: string): string => `exists (
  select from products p where p.store_id = ${row}.store_id and p.id = ${row}.product_id and p.deleted_at is null)`
