import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { findPriceRules } from './prices/price-rule.ts'
import { Product } from './product.ts'
import { findAttributes } from './product-attribute.ts'
import { findRelatedIds } from './related-product.ts'
import { ProductVariant } from './variants/variant.ts'
import type { WholeProduct } from './view.ts'

/** Adds to products what belongs to them: a query for each sort of it, however many products there are. */
export async function loadParts(tx: StoreTx, products: Product[]): Promise<WholeProduct[]> {
  const ids = products.map(({ id }) => id)
  const variants = await findVariants(tx, ids)
  const places: { product_id: string; category_id: string }[] = await tx
    .knex('product_categories')
    .where('store_id', tx.storeId)
    .whereIn('product_id', ids)
    .orderBy('category_id')
    .select('product_id', 'category_id')
  const variantsOf = Map.groupBy(variants, ({ productId }) => productId)
  const placesOf = Map.groupBy(places, ({ product_id }) => product_id)
  const attributes = await findAttributes(tx, ids)
  const priceRules = await findPriceRules(tx, ids)
  const related = await findRelatedIds(tx, ids)
  return products.map((product) => ({
    product,
    variants: variantsOf.get(product.id) ?? [],
    categoryIds: placesOf.get(product.id)?.map(({ category_id }) => category_id) ?? [],
    attributes: attributes.get(product.id) ?? [],
    priceRules: priceRules.get(product.id) ?? [],
    relatedIds: related.get(product.id) ?? [],
  }))
}

/** In their order; of a deleted product those that went with it. */
const findVariants = (tx: StoreTx, productIds: string[]): Promise<ProductVariant[]> =>
  ProductVariant.in(tx)
    .whereIn('product_id', productIds)
    .whereRaw(
      `deleted_at is not distinct from (
         select p.deleted_at from products p
         where p.store_id = product_variants.store_id and p.id = product_variants.product_id)`,
    )
    .orderBy('position')
    .execute()

/** A product that is not deleted, with all that belongs to it. Throws `resource.not_found`. */
export async function findProduct(tx: StoreTx, productId: string): Promise<WholeProduct> {
  return wholeProduct(tx, await Product.in(tx).findById(productId).whereNull('deleted_at'))
}

/** As `findProduct`, and nobody else changes the product until the transaction ends. */
export async function lockProduct(tx: StoreTx, productId: string): Promise<WholeProduct> {
  return wholeProduct(tx, await Product.in(tx).findById(productId).whereNull('deleted_at').forNoKeyUpdate())
}

async function wholeProduct(tx: StoreTx, product: Product | undefined): Promise<WholeProduct> {
  const [whole] = product ? await loadParts(tx, [product]) : []
  if (!whole) throw CommonErrors.notFound()
  return whole
}
