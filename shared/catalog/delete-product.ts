import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { bumpCatalogVersion } from '#shared/stores/catalog-version.ts'
import type { Store } from '#shared/stores/store.ts'
import { productDeleted } from './events.ts'
import { Product } from './product.ts'
import { ProductVariant } from './variants/variant.ts'
import { viewProduct } from './view.ts'
import { lockProduct } from './whole-products.ts'

/**
 * Deletes a product softly (interface document, section 3): it is unpublished and leaves every list, its data is kept,
 * its slug and SKUs become free; `restoreProduct` brings it back. Throws `resource.not_found`, also when it is deleted
 * already.
 */
export async function deleteProduct(tx: StoreTx, store: Store, productId: string): Promise<void> {
  const whole = await lockProduct(tx, productId)
  const at = nextUpdatedAt(whole.product)
  const gone = { isActive: false, deletedAt: at, updatedAt: at }
  await Product.in(tx).findById(productId).patch(gone)
  // Each variant stays published or not, as it is to be when the product comes back.
  await ProductVariant.in(tx)
    .where({ product_id: productId, deleted_at: null })
    .patch({ deletedAt: at, updatedAt: at })

  bumpCatalogVersion(tx)
  const product = Object.assign(new Product(), whole.product, gone)
  await emit(tx, productDeleted, viewProduct({ ...whole, product }, store))
}
