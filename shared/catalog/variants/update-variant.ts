import { isDeepStrictEqual } from 'node:util'
import { toConflict } from '#shared/catalog/errors.ts'
import type { NewVariant } from '#shared/catalog/new-product.ts'
import { lockProduct } from '#shared/catalog/product.ts'
import { findVariantOf, ProductVariant } from '#shared/catalog/variant.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import type { Store } from '#shared/stores/store.ts'
import { checkVariant } from './check-variants.ts'
import type { SavedVariant } from './create-variant.ts'
import { refreshProduct } from './refresh-product.ts'

/** The changes of a variant; absent fields keep their values. `adjustStock` changes the stock. */
export type VariantChanges = Partial<Omit<NewVariant, 'stockOnHand' | 'metadata'>> & {
  metadata?: MetadataChange
}

/**
 * Updates the given fields of a variant. Without a difference nothing is written and no event is emitted. Throws
 * `resource.not_found`, `resource.changed` if `ifMatch` is an outdated tag of the product, `product.sku_taken`, and 422
 * for an invalid combination of options.
 */
export async function updateVariant(
  tx: StoreTx,
  store: Store,
  ids: { productId: string; variantId: string },
  { metadata, ...fields }: VariantChanges,
  ifMatch: string | undefined,
): Promise<SavedVariant> {
  const whole = await lockProduct(tx, ids.productId)
  const before = findVariantOf(whole, ids.variantId)
  assertUnchanged(whole.product, ifMatch)
  const changes = { ...fields, metadata: mergeMetadata(before.metadata, metadata) }
  const updated = before.with(changes)
  if (isDeepStrictEqual(updated, before)) return { variant: before, whole }

  checkVariant(updated, whole)
  const variant = updated.with({ updatedAt: nextUpdatedAt(before) })
  await ProductVariant.in(tx)
    .findById(variant.id)
    .patch({ ...changes, updatedAt: variant.updatedAt })
    .catch((error) => {
      throw toConflict(error, { slug: '', sku: variant.sku })
    })
  const variants = whole.variants.map((one) => (one.id === variant.id ? variant : one))
  return { variant, whole: await refreshProduct(tx, store, { ...whole, variants }) }
}
