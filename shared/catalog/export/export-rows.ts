import type { ProductVariant } from '#shared/catalog/variant.ts'
import type { ProductImage } from '../product-image.ts'
import type { ExportedProduct } from './exported-product.ts'

/** A row of an export: a variant, an image, or both. Only the first row of a product has its texts. */
export interface ExportRow {
  exported: ExportedProduct
  isFirst: boolean
  variant: ProductVariant | null
  image: ProductImage | null
}

/** The rows of a product: as many as it has variants or images, at least one. */
export function rowsOf(exported: ExportedProduct): ExportRow[] {
  const { product, variants } = exported
  const images = product.images.toSorted((a, b) => a.position - b.position)
  return Array.from({ length: Math.max(1, variants.length, images.length) }, (_, i) => ({
    exported,
    isFirst: i === 0,
    variant: variants[i] ?? null,
    image: images[i] ?? null,
  }))
}

/** The first image that shows this variant in particular. */
export const imageOf = ({ exported, variant }: ExportRow): string | null =>
  variant
    ? (exported.product.images.find(({ variant_ids }) => variant_ids.includes(variant.id))?.url ?? null)
    : null
