import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import type { Store } from '#shared/stores/store.ts'
import { ProductErrors } from '../errors.ts'
import type { ProductImage } from '../product.ts'
import type { WholeProduct } from '../view.ts'
import { lockProduct } from '../whole-products.ts'
import { touchProduct } from './touch-product.ts'
import { ProductVariant } from './variant.ts'
import { findVariantOf } from './variant-of.ts'

/**
 * Deletes a variant softly: orders keep it, its SKU becomes free, pictures of it alone become the product's. Throws
 * `resource.not_found`, `resource.changed` when `ifMatch` names an earlier state of the product, and
 * `product.last_variant`.
 */
export async function deleteVariant(
  tx: StoreTx,
  store: Store,
  place: { productId: string; variantId: string },
  ifMatch: string | undefined,
): Promise<WholeProduct> {
  const whole = await lockProduct(tx, place.productId)
  const gone = findVariantOf(whole, place.variantId)
  assertUnchanged(whole.product, ifMatch)
  if (whole.variants.length === 1) throw ProductErrors.lastVariant()

  const at = nextUpdatedAt(gone)
  await ProductVariant.in(tx).findById(gone.id).patch({ deletedAt: at, updatedAt: at })
  whole.product.images = whole.product.images.map(without(gone.id))
  const variants = whole.variants.filter(({ id }) => id !== gone.id)
  return touchProduct(tx, store, { ...whole, variants })
}

const without =
  (variantId: string) =>
  (image: ProductImage): ProductImage => ({
    ...image,
    variant_ids: image.variant_ids.filter((id) => id !== variantId),
  })
