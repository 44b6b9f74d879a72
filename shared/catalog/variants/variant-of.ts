import { CommonErrors } from '#shared/platform/errors.ts'
import type { WholeProduct } from '../view.ts'
import type { ProductVariant } from './variant.ts'

/** A product's variant. Throws `resource.not_found`. */
export function findVariantOf({ variants }: WholeProduct, variantId: string): ProductVariant {
  const found = variants.find(({ id }) => id === variantId.toLowerCase())
  if (!found) throw CommonErrors.notFound()
  return found
}
