import { newId } from '#shared/platform/db/id.ts'
import type { ProductImage } from '../product-image.ts'
import type { PlannedVariant } from './plan-variants.ts'
import type { ImageCells } from './read-row.ts'

/**
 * The existing images of a product merged with the images of the file by URL. Blank cells keep the existing values; no image
 * is removed. A variant with an image in the file is shown by this image only, unless the image shows it already.
 */
export function planImages(
  before: ProductImage[],
  cells: ImageCells[],
  variants: PlannedVariant[],
): ProductImage[] {
  const linked = new Map(
    variants.flatMap(({ variant, imageUrl }) =>
      imageUrl && !isShown(before, imageUrl, variant.id) ? [[variant.id, imageUrl]] : [],
    ),
  )
  const images = before.map((image) => ({ ...image }))
  const seen = new Map<string, number>()
  for (const { url, alt, position } of cells) {
    // The same image twice in the file is two images only if the product has it twice.
    const nth = seen.get(url) ?? 0
    seen.set(url, nth + 1)
    const same = images.filter((image) => image.url === url)
    const image = same[nth] ?? same.at(-1) ?? add(images, url)
    image.alt = alt ?? image.alt
    image.position = position === null ? image.position : position - 1
  }
  for (const url of linked.values()) if (!images.some((image) => image.url === url)) add(images, url)
  return images
    .sort((a, b) => a.position - b.position)
    .map((image, i) => ({ ...image, position: i, variant_ids: shownVariants(image, linked) }))
}

const isShown = (images: ProductImage[], url: string, variantId: string): boolean =>
  images.some((image) => image.url === url && image.variant_ids.includes(variantId))

function add(images: ProductImage[], url: string): ProductImage {
  const image = { id: newId(), url, alt: '', position: images.length, variant_ids: [] }
  images.push(image)
  return image
}

function shownVariants({ url, variant_ids }: ProductImage, linked: Map<string, string>): string[] {
  const remaining = variant_ids.filter((id) => (linked.get(id) ?? url) === url)
  const added = [...linked]
    .filter(([id, address]) => address === url && !remaining.includes(id))
    .map(([id]) => id)
  return [...remaining, ...added]
}
