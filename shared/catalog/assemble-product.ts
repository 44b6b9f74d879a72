import { newId } from '#shared/platform/db/id.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { NewImage, NewProduct, NewVariant } from './new-product.ts'
import { Product, type ProductImage } from './product.ts'
import type { AttributeAssignment } from './product-attribute.ts'
import { ProductVariant } from './variants/variant.ts'
import type { WholeProduct } from './view.ts'

/** A variant of which nothing is told but its SKU. */
export const VARIANT_DEFAULTS: Omit<NewVariant, 'sku'> = {
  optionValues: {},
  priceMinor: null,
  salePriceMinor: null,
  saleStartsAt: null,
  saleEndsAt: null,
  barcode: null,
  weightGrams: null,
  stockOnHand: 0,
  backorder: false,
  isActive: true,
}

/** Makes the rows of a draft, with their keys; nothing is written. `spareSku` is for a variant that none was given for. */
export function buildProduct(
  draft: NewProduct,
  attributes: AttributeAssignment[],
  { slug, spareSku }: { slug: string; spareSku: string },
): WholeProduct {
  const {
    slug: _,
    categoryIds,
    images,
    attributes: __,
    priceRules,
    relatedIds,
    variants: given,
    ...fields
  } = draft
  const id = newId()
  const at = newTimestamps()
  const drafts = given.length ? given : [{ ...VARIANT_DEFAULTS, sku: draft.sku ?? spareSku }]
  const variants = drafts.map((variant, position) => buildVariant(variant, { productId: id, position }))
  const product = Object.assign(new Product(), {
    ...fields,
    ...at,
    id,
    slug,
    tags: [...new Set(draft.tags)],
    images: images.map((image, position) => assembleImage(image, position, variants)),
  })
  return {
    product,
    variants,
    categoryIds: uniqueIds(categoryIds),
    attributes,
    priceRules,
    relatedIds: uniqueIds(relatedIds),
  }
}

/** Makes the row of a variant, with its key; nothing is written. */
export function buildVariant(
  draft: NewVariant,
  place: { productId: string; position: number },
): ProductVariant {
  const unsold = { stockAllocated: 0, stockHeld: 0 }
  return Object.assign(new ProductVariant(), {
    id: newId(),
    ...place,
    ...unsold,
    ...draft,
    ...newTimestamps(),
  })
}

function newTimestamps() {
  const at = now()
  return { createdAt: at, updatedAt: at, deletedAt: null }
}

/** Each id once; a client may spell one in capitals too. */
export const uniqueIds = (ids: string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))]

const assembleImage = (
  { url, alt, variantSkus }: NewImage,
  position: number,
  variants: ProductVariant[],
): ProductImage => ({
  id: newId(),
  url,
  alt,
  position,
  variant_ids: variants.filter(({ sku }) => variantSkus.includes(sku)).map(({ id }) => id),
})
