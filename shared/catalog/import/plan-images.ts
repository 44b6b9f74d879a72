import { newId } from '#shared/platform/db/id.ts'
import type { ProductImage } from '../product.ts'
import type { PlannedVariant } from './plan-variants.ts'
import type { ImageCells } from './read-row.ts'

/**
 * A product's pictures with those of the file: known ones, by address, keep what the file does not say; none is
 * removed. The picture that a variant names shows that variant, and its others no longer do.
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
  for (const { url, alt, position } of [...cells, ...[...linked.values()].map(bare)]) {
    const image = images.get(url) ?? { id: newId(), url, alt: '', position: images.size, variant_ids: [] }
    images.set(url, {
      ...image,
      alt: alt ?? image.alt,
      position: position === null ? image.position : position - 1,
    })
  }
  return [...images.values()]
    .sort((a, b) => a.position - b.position)
    .map((image, i) => ({ ...image, position: i, variant_ids: showing(image, linked) }))
}

const bare = (url: string): ImageCells => ({ url, alt: null, position: null })

function showing({ url, variant_ids }: ProductImage, linked: Map<string, string>): string[] {
  const kept = variant_ids.filter((id) => (linked.get(id) ?? url) === url)
  const added = [...linked].filter(([id, address]) => address === url && !kept.includes(id)).map(([id]) => id)
  return [...kept, ...added]
}
