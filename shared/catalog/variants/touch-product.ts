import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { emitProduct } from '../emit-product.ts'
import { productUpdated } from '../events.ts'
import { repriceProducts } from '../prices/reprice-products.ts'
import { Product, type WholeProduct } from '../product.ts'

/**
 * Records a change of a product's variants: updates its `updated_at`, images and current price, and emits the event.
 * Returns the product with them.
 */
export async function touchProduct(tx: StoreTx, store: Store, whole: WholeProduct): Promise<WholeProduct> {
  const { id, images } = whole.product
  const updatedAt = nextUpdatedAt(whole.product)
  await Product.in(tx).findById(id).patch({ updatedAt, images })
  await repriceProducts(tx, [id])
  bumpCatalogVersion(tx)
  const touched = { ...whole, product: whole.product.with({ updatedAt }) }
  await emitProduct(tx, productUpdated, store, touched)
  return touched
}
