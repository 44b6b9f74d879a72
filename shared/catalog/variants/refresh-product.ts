import { emitProduct } from '#shared/catalog/emit-product.ts'
import { productUpdated } from '#shared/catalog/events.ts'
import { repriceProducts } from '#shared/catalog/prices/reprice-products.ts'
import { Product, type WholeProduct } from '#shared/catalog/product.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'

/**
 * Updates a product after a change of a variant: saves `updated_at` and images, reprices it and emits
 * `product.updated`. Returns the updated product.
 */
export async function refreshProduct(tx: StoreTx, store: Store, whole: WholeProduct): Promise<WholeProduct> {
  const { id, images } = whole.product
  const updatedAt = nextUpdatedAt(whole.product)
  await Product.in(tx).findById(id).patch({ updatedAt, images })
  await repriceProducts(tx, [id])
  bumpCatalogVersion(tx)
  const refreshed = { ...whole, product: whole.product.with({ updatedAt }) }
  await emitProduct(tx, productUpdated, store, refreshed)
  return refreshed
}
