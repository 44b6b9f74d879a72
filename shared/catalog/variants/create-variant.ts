import { buildVariant, type NewVariant } from '#shared/catalog/new-product.ts'
import { lockProduct, type WholeProduct } from '#shared/catalog/product.ts'
import { insertVariants, type ProductVariant } from '#shared/catalog/variant.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { Store } from '#shared/stores/store.ts'
import { checkVariant } from './check-variants.ts'
import { refreshProduct } from './refresh-product.ts'

/** The maximum of variants of a product. */
export const MAX_VARIANTS = 1_000

/** A saved variant and its product after the change. */
export interface SavedVariant {
  variant: ProductVariant
  whole: WholeProduct
}

/**
 * Adds a variant at the end of a product. Throws `resource.not_found`, `resource.changed` if `ifMatch` is an outdated
 * tag of the product, `product.sku_taken`, and 422 for an invalid combination of options.
 */
export async function createVariant(
  tx: StoreTx,
  store: Store,
  productId: string,
  input: NewVariant,
  ifMatch: string | undefined,
): Promise<SavedVariant> {
  const before = await lockProduct(tx, productId)
  assertUnchanged(before.product, ifMatch)
  const { variants, product } = before
  if (variants.length >= MAX_VARIANTS)
    throw invalid([], `A product has at most ${MAX_VARIANTS} variants. Delete one first`)
  const position = (variants.at(-1)?.position ?? -1) + 1
  const variant = buildVariant(input, { productId: product.id, position })
  checkVariant(variant, before)
  await insertVariants(tx, [variant])
  return { variant, whole: await refreshProduct(tx, store, { ...before, variants: [...variants, variant] }) }
}
