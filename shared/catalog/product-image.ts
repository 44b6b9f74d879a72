import { newId } from '#shared/platform/db/id.ts'
import { invalid } from '#shared/platform/validation.ts'
import { uniqueIds } from './assemble-product.ts'
import type { ProductImage } from './product.ts'
import type { WholeProduct } from './view.ts'

/** A picture as staff arrange it: one that the product has, by its id or its URL, or a new one. */
export interface ImageInput {
  id?: string
  url: string
  alt: string
  /** The variants that it shows; none: all. */
  variantIds: string[]
}

/**
 * The pictures of a product in a new order, those that it has under the ids that they have. Refuses (422) a variant that
 * the product has not.
 */
export function arrangeImages(
  images: readonly ImageInput[],
  { product, variants }: WholeProduct,
): ProductImage[] {
  const knownImages = new Set(product.images.map(({ id }) => id))
  const knownVariants = new Set(variants.map(({ id }) => id))
  return images.map(({ id, url, alt, variantIds }, position) => {
    const unknown = variantIds.find((variantId) => !knownVariants.has(variantId.toLowerCase()))
    if (unknown !== undefined)
      throw invalid(['images', position, 'variant_ids'], 'The product has no such variant', unknown)
    const sameUrl = product.images.find((image) => image.url === url && knownImages.has(image.id))
    const wanted = id?.toLowerCase() ?? sameUrl?.id ?? ''
    const kept = knownImages.delete(wanted) ? wanted : newId()
    return { id: kept, url, alt, position, variant_ids: uniqueIds(variantIds) }
  })
}
