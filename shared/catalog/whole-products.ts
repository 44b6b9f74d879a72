import { CommonErrors } from '../platform/errors.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Product } from './product.ts'
import { ProductVariant } from './product-variant.ts'
import type { WholeProduct } from './view.ts'

/** Adds to products their variants and categories: two queries, however many there are. */
export async function wholeProducts(tx: StoreTx, products: Product[]): Promise<WholeProduct[]> {
  const ids = products.map(({ id }) => id)
  const variants = await ProductVariant.in(tx)
    .whereIn('product_id', ids)
    .whereNull('deleted_at')
    .orderBy('position')
  const places: { product_id: string; category_id: string }[] = await tx
    .knex('product_categories')
    .where('store_id', tx.storeId)
    .whereIn('product_id', ids)
    .orderBy('category_id')
    .select('product_id', 'category_id')
  const variantsOf = Map.groupBy(variants, ({ productId }) => productId)
  const placesOf = Map.groupBy(places, ({ product_id }) => product_id)
  return products.map((product) => ({
    product,
    variants: variantsOf.get(product.id) ?? [],
    categoryIds: placesOf.get(product.id)?.map(({ category_id }) => category_id) ?? [],
  }))
}

/** A product that is not deleted, with its variants and categories. Throws `resource.not_found`. */
export async function findProduct(tx: StoreTx, productId: string): Promise<WholeProduct> {
  return wholeProduct(tx, await Product.in(tx).findById(productId).whereNull('deleted_at'))
}

/** As `findProduct`, and nobody else changes the product until the transaction ends. */
export async function lockProduct(tx: StoreTx, productId: string): Promise<WholeProduct> {
  return wholeProduct(tx, await Product.in(tx).findById(productId).whereNull('deleted_at').forUpdate())
}

async function wholeProduct(tx: StoreTx, product: Product | undefined): Promise<WholeProduct> {
  const [whole] = product ? await wholeProducts(tx, [product]) : []
  if (!whole) throw CommonErrors.notFound()
  return whole
}
