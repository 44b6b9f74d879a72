import { newId, uniqueIds } from '#shared/platform/db/id.ts'
import { invalid } from '#shared/platform/validation.ts'

/** An image of a product. `variant_ids` are the variants that it shows; empty for all variants. */
export interface ProductImage {
  id: string
  url: string
  alt: string
  position: number
  variant_ids: string[]
}

/** An image of a request: an existing one by its id or URL, or a new one. */
export interface ImageInput {
  id?: string
  url: string
  alt: string
  /** The variants that it shows; empty for all. */
  variantIds: string[]
}

/** Enough for five images of each variant of a product with a thousand variants. */
const MAX_NAMED_VARIANTS = 5_000

/**
 * Throws 422 if the images of a request name too many variants in all. A short SKU becomes an id of 36 characters in
 * each response, event and audit entry of the product.
 */
export function assertNamedVariantCount(named: readonly (readonly string[])[]): void {
  const count = named.reduce((total, { length }) => total + length, 0)
  if (count > MAX_NAMED_VARIANTS)
    throw invalid(['images'], `The images may name ${MAX_NAMED_VARIANTS} variants in all`, count)
}

/**
 * Returns the images of a request in sequence. An existing image keeps its id. Throws 422 for an unknown variant, and
 * for too many variants in all.
 */
export function arrangeImages(
  inputs: readonly ImageInput[],
  existing: readonly ProductImage[],
  variants: readonly { id: string }[],
): ProductImage[] {
  assertNamedVariantCount(inputs.map(({ variantIds }) => variantIds))
  const unusedIds = new Set(existing.map(({ id }) => id))
  const variantsOfProduct = new Set(variants.map(({ id }) => id))
  return inputs.map(({ id, url, alt, variantIds }, position) => {
    const unknown = variantIds.find((variantId) => !variantsOfProduct.has(variantId.toLowerCase()))
    if (unknown !== undefined)
      throw invalid(
        ['images', position, 'variant_ids'],
        'The product does not have this variant. Use the id of one of its variants',
        unknown,
      )
    const sameUrl = existing.find((image) => image.url === url && unusedIds.has(image.id))
    const existingId = id?.toLowerCase() ?? sameUrl?.id ?? ''
    const imageId = unusedIds.delete(existingId) ? existingId : newId()
    return { id: imageId, url, alt, position, variant_ids: uniqueIds(variantIds) }
  })
}

/** Returns an image without one of its variants. An image of this variant alone then shows all variants. */
export const withoutVariant = (image: ProductImage, variantId: string): ProductImage => ({
  ...image,
  variant_ids: image.variant_ids.filter((id) => id !== variantId),
})

/**
 * SQL of the URL of a variant's image; null without images. It prefers the first image that shows this variant, then
 * the first that shows all variants, then the first of the product. The parameters are the aliases of the variant and
 * its product.
 */
export const variantImageSql = (variant: string, product: string) => `(
  select image ->> 'url' from jsonb_array_elements(${product}.images) image
  order by image -> 'variant_ids' @> to_jsonb(${variant}.id::text) desc,
           image -> 'variant_ids' = '[]' desc, (image ->> 'position')::integer
  limit 1)`
