import type { ProductImage } from '#shared/catalog/product-image.ts'
import type { ProductVariant } from '#shared/catalog/variant.ts'
import type { ExportedProduct } from './load-exported-parts.ts'

/** A row of an export: a variant, an image, or both. Only the first row of a product has its texts. */
export interface ExportRow {
  exported: ExportedProduct
  isFirst: boolean
  variant: ProductVariant | null
  image: ProductImage | null
  /** The URL of the first image that names the variant. */
  variantImageUrl: string | null
}

/** Returns the rows of a product: as many as it has variants or images, whichever are more, and at least one. */
export function rowsOf(exported: ExportedProduct): ExportRow[] {
  const { product, variants } = exported
  const images = product.images.toSorted((a, b) => a.position - b.position)
  const urls = imagesOfVariants(product.images)
  return Array.from({ length: Math.max(1, variants.length, images.length) }, (_, i) => ({
    exported,
    isFirst: i === 0,
    variant: variants[i] ?? null,
    image: images[i] ?? null,
    variantImageUrl: urls.get(variants[i]?.id ?? '') ?? null,
  }))
}

/** Returns the URL of the first image that names each variant, by the variant's id. */
function imagesOfVariants(images: readonly ProductImage[]): Map<string, string> {
  const urls = images.flatMap(({ url, variant_ids }) => variant_ids.map((id) => [id, url] as const))
  // Of equal keys, a map keeps the last one.
  return new Map(urls.reverse())
}
