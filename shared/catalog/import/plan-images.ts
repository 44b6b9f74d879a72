import { newId } from '#shared/platform/db/id.ts'
import type { ProductImage } from '../product-image.ts'
import type { PlannedVariant } from './plan-variants.ts'
import type { ImageCells } from './read-row.ts'

/**
 * The existing images of a product merged with the images of the file by URL. Blank cells keep the existing values; no image
 * is removed. A variant with an image in the file is shown by this image only.
 */
export function planImages(
  before: ProductImage[],
  cells: ImageCells[],
  variants: PlannedVariant[],
): ProductImage[] {
  const linked = new Map(
    variants.flatMap(({ variant, imageUrl }) => (imageUrl ? [[variant.id, imageUrl]] : [])),
  )
  const images = new Map(before.map((image) => [image.url, { ...image }]))
  for (const { url, alt, position } of [...cells, ...[...linked.values()].map(toCells)]) {
    const image = images.get(url) ?? { id: newId(), url, alt: '', position: images.size, variant_ids: [] }
    images.set(url, {
      ...image,
      alt: alt ?? image.alt,
      position: position === null ? image.position : position - 1,
    })
  }
  return [...images.values()]
    .sort((a, b) => a.position - b.position)
    .map((image, i) => ({ ...image, position: i, variant_ids: shownVariants(image, linked) }))
}

const toCells = (url: string): ImageCells => ({ url, alt: null, position: null })

function shownVariants({ url, variant_ids }: ProductImage, linked: Map<string, string>): string[] {
  const remaining = variant_ids.filter((id) => (linked.get(id) ?? url) === url)
  const added = [...linked]
    .filter(([id, address]) => address === url && !remaining.includes(id))
    .map(([id]) => id)
  return [...remaining, ...added]
}
