import { isDeepStrictEqual } from 'node:util'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import type { Store } from '#shared/stores/store.ts'
import type { NewVariant } from '../new-product.ts'
import { toConflict } from '../taken-error.ts'
import { lockProduct } from '../whole-products.ts'
import type { SavedVariant } from './add-variant.ts'
import { checkVariant } from './check-variant.ts'
import { touchProduct } from './touch-product.ts'
import { ProductVariant } from './variant.ts'
import { findVariantOf } from './variant-of.ts'

/** What changes of a variant; what is absent stays. Its stock is adjusted, with a reason. */
export type VariantChanges = Partial<Omit<NewVariant, 'stockOnHand'>>

/**
 * Changes a variant. What would change nothing is not written, and tells no event. Throws `resource.not_found`,
 * `resource.changed` when `ifMatch` names an earlier state of the product, `product.sku_taken`, and 422 for what does
 * not fit the product.
 */
export async function updateVariant(
  tx: StoreTx,
  store: Store,
  place: { productId: string; variantId: string },
  changes: VariantChanges,
  ifMatch: string | undefined,
): Promise<SavedVariant> {
  const whole = await lockProduct(tx, place.productId)
  const before = findVariantOf(whole, place.variantId)
  assertUnchanged(whole.product, ifMatch)
  const variant = Object.assign(new ProductVariant(), before, changes)
  if (isDeepStrictEqual(variant, before)) return { variant, whole }

  checkVariant(variant, whole)
  variant.updatedAt = nextUpdatedAt(before)
  await ProductVariant.in(tx)
    .findById(variant.id)
    .patch({ ...changes, updatedAt: variant.updatedAt })
    .catch((error) => {
      throw toConflict(error, { slug: '', sku: variant.sku })
    })
  const variants = whole.variants.map((one) => (one.id === variant.id ? variant : one))
  return { variant, whole: await touchProduct(tx, store, { ...whole, variants }) }
}
