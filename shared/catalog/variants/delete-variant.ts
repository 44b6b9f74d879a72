import { ProductErrors } from '#shared/catalog/errors.ts'
import { lockProduct, type WholeProduct } from '#shared/catalog/product.ts'
import { withoutVariant } from '#shared/catalog/product-image.ts'
import { findVariantOf, ProductVariant } from '#shared/catalog/variant.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { Store } from '#shared/stores/store.ts'
import { refreshProduct } from './refresh-product.ts'

/**
 * Soft-deletes a variant. Orders keep it, and its SKU becomes free. An image that shows only this variant now shows all
 * variants. Throws `resource.not_found`, `resource.changed` if `ifMatch` is an outdated tag of the product, and
 * `product.last_variant`.
 */
export async function deleteVariant(
  tx: StoreTx,
  store: Store,
  ids: { productId: string; variantId: string },
  ifMatch: string | undefined,
): Promise<WholeProduct> {
  const whole = await lockProduct(tx, ids.productId)
  const deleted = findVariantOf(whole, ids.variantId)
  assertUnchanged(whole.product, ifMatch)
  if (whole.variants.length === 1) throw ProductErrors.lastVariant()

  const deletedAt = nextUpdatedAt(deleted)
  await ProductVariant.in(tx).findById(deleted.id).patch({ deletedAt, updatedAt: deletedAt })
  const images = whole.product.images.map((image) => withoutVariant(image, deleted.id))
  const variants = whole.variants.filter(({ id }) => id !== deleted.id)
  return refreshProduct(tx, store, { ...whole, product: whole.product.with({ images }), variants })
}
