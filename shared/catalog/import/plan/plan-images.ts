import type { ImageCells } from '#shared/catalog/import/rows/read-product-row.ts'
import type { ProductImage } from '#shared/catalog/product-image.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { PlannedVariant } from './plan-variants.ts'

/**
 * Merges the images of the file with the existing images of a product by URL. Blank cells keep the existing values, and
 * no image is removed. If a row assigns an image to its variant that does not show it yet, this image alone shows it
 * afterwards.
 */
export function planImages(
  before: ProductImage[],
  cells: ImageCells[],
  variants: PlannedVariant[],
): ProductImage[] {
  // Look images up by URL: a file can have thousands of images of a product, and a search for each would block the
  // process.
  const images = before.map((image) => ({ ...image }))
  const byUrl = Map.groupBy(images, ({ url }) => url)
  const add = (url: string): ProductImage => {
    const image = { id: newId(), url, alt: '', position: images.length, variant_ids: [] }
    images.push(image)
    byUrl.set(url, [image])
    return image
  }
  const urlByVariant = assignedUrls(before, variants)
  const seen = new Map<string, number>()
  for (const { url, alt, position } of cells) {
    // An image that is twice in the file becomes two images only if the product has it twice.
    const nth = seen.get(url) ?? 0
    seen.set(url, nth + 1)
    const withUrl = byUrl.get(url)
    const image = withUrl?.[nth] ?? withUrl?.at(-1) ?? add(url)
    image.alt = alt ?? image.alt
    image.position = position === null ? image.position : position - 1
  }
  for (const url of urlByVariant.values()) if (!byUrl.has(url)) add(url)
  const variantsByUrl = Map.groupBy(urlByVariant.keys(), (id) => urlByVariant.get(id))
  return images
    .sort((a, b) => a.position - b.position)
    .map((image, i) => ({
      ...image,
      position: i,
      variant_ids: shownVariants(image, urlByVariant, variantsByUrl.get(image.url) ?? []),
    }))
}

/** Returns the URLs that rows assign to variants, by variant id. It leaves out images that already show the variant. */
function assignedUrls(before: ProductImage[], variants: PlannedVariant[]): Map<string, string> {
  const keyOf = (variantId: string, url: string) => `${variantId} ${url}`
  const shown = new Set(before.flatMap(({ url, variant_ids }) => variant_ids.map((id) => keyOf(id, url))))
  return new Map(
    variants.flatMap(({ variant: { id }, imageUrl }) =>
      imageUrl && !shown.has(keyOf(id, imageUrl)) ? [[id, imageUrl]] : [],
    ),
  )
}

/** Returns the variants that an image shows after the import: `assignedIds`, and others that keep it. */
function shownVariants(
  { url, variant_ids }: ProductImage,
  urlByVariant: Map<string, string>,
  assignedIds: string[],
): string[] {
  const remaining = new Set(variant_ids.filter((id) => (urlByVariant.get(id) ?? url) === url))
  return [...remaining.union(new Set(assignedIds))]
}
