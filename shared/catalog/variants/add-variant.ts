import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { Store } from '#shared/stores/store.ts'
import { buildVariant } from '../assemble-product.ts'
import type { NewVariant } from '../new-product.ts'
import type { WholeProduct } from '../view.ts'
import { lockProduct } from '../whole-products.ts'
import { checkVariant } from './check-variant.ts'
import { insertVariants } from './insert-variants.ts'
import { touchProduct } from './touch-product.ts'
import type { ProductVariant } from './variant.ts'

/** How many variants a product has at most. */
export const MAX_VARIANTS = 1_000

/** A variant that was changed, and its product as it is now. */
export interface SavedVariant {
  variant: ProductVariant
  whole: WholeProduct
}

/**
 * Adds a variant at the end. Throws `resource.not_found`, `resource.changed` when `ifMatch` names an earlier state of
 * the product, `product.sku_taken`, and 422 for what does not fit the product.
 */
export async function addVariant(
  tx: StoreTx,
  store: Store,
  productId: string,
  draft: NewVariant,
  ifMatch: string | undefined,
): Promise<SavedVariant> {
  const before = await lockProduct(tx, productId)
  assertUnchanged(before.product, ifMatch)
  const { variants, product } = before
  if (variants.length >= MAX_VARIANTS) throw invalid([], `A product has at most ${MAX_VARIANTS} variants`)
  const position = (variants.at(-1)?.position ?? -1) + 1
  const variant = buildVariant(draft, { productId: product.id, position })
  checkVariant(variant, before)
  await insertVariants(tx, [variant])
  return { variant, whole: await touchProduct(tx, store, { ...before, variants: [...variants, variant] }) }
}
