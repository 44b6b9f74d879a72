import { productDeleted } from '#shared/catalog/events.ts'
import { lockProduct, Product } from '#shared/catalog/product.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { viewProduct } from '#shared/catalog/view.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import type { Store } from '#shared/stores/store.ts'

/**
 * Soft-deletes a product: unpublishes it, hides it in every list, and frees its slug and SKUs. `restoreProduct`
 * restores it. Throws `resource.not_found`, also for a deleted product.
 */
export async function deleteProduct(tx: StoreTx, store: Store, productId: string): Promise<void> {
  const whole = await lockProduct(tx, productId)
  const deletedAt = nextUpdatedAt(whole.product)
  const changes = { isActive: false, deletedAt, updatedAt: deletedAt }
  await Product.in(tx).findById(productId).patch(changes)
  // `is_active` of each variant is kept for `restoreProduct`.
  await ProductVariant.in(tx)
    .where({ product_id: productId, deleted_at: null })
    .patch({ deletedAt, updatedAt: deletedAt })

  bumpCatalogVersion(tx)
  const product = whole.product.with(changes)
  await emit(tx, productDeleted, viewProduct({ ...whole, product }, store))
}
