import { newId, uniqueIds } from '#shared/platform/db/id.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import type { Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { PriceRule } from './price-rule.ts'
import {
  Product,
  type ProductDimensions,
  type ProductOption,
  type ProductSeo,
  type WholeProduct,
} from './product.ts'
import type { AttributeAssignment, AttributeValue } from './product-attribute.ts'
import type { ProductImage } from './product-image.ts'
import { ProductVariant } from './variant.ts'

/** The input of a new variant. Prices in minor units. */
export interface NewVariant {
  sku: string
  optionValues: Record<string, string>
  priceMinor: bigint | null
  salePriceMinor: bigint | null
  saleStartsAt: Date | null
  saleEndsAt: Date | null
  barcode: string | null
  weightGrams: number | null
  stockOnHand: number
  backorder: boolean
  isActive: boolean
  /** Default: none. */
  metadata?: Metadata
}

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
  metadata: {},
}

/** The input of a new image. It shows the variants with these SKUs, or all variants if there are none. */
export interface NewImage extends Pick<ProductImage, 'url' | 'alt'> {
  variantSkus: string[]
}

/** The input of a new product with its variants. Prices in minor units. */
export interface NewProduct {
  /** Default: derived from the name. */
  slug?: string
  sku: string | null
  nameI18n: Texts
  descriptionI18n: Texts
  seo: ProductSeo
  manufacturerId: string | null
  /** Null for the store's default tax class. */
  taxClassId: string | null
  stockStatusId: string | null
  categoryIds: string[]
  priceMinor: bigint
  weightGrams: number | null
  dimensions: ProductDimensions | null
  options: ProductOption[]
  images: NewImage[]
  attributes: AttributeValue[]
  priceRules: PriceRule[]
  relatedIds: string[]
  tags: string[]
  isActive: boolean
  /** Default: none. */
  metadata?: Metadata
  /** Can be empty for a product without options. Then it gets one variant. */
  variants: NewVariant[]
}

/** Builds the rows of a new product without saving them. `defaultSku` is the SKU of a variant that the input omits. */
export function buildProduct(
  input: NewProduct,
  attributes: AttributeAssignment[],
  { slug, defaultSku }: { slug: string; defaultSku: string },
): WholeProduct {
  const { categoryIds, priceRules, relatedIds, variants: given, attributes: _, ...fields } = input
  const id = newId()
  const inputs = given.length ? given : [{ ...VARIANT_DEFAULTS, sku: input.sku ?? defaultSku }]
  const variants = inputs.map((variant, position) => buildVariant(variant, { productId: id, position }))
  const product = Object.assign(new Product(), {
    metadata: {},
    ...fields,
    ...newTimestamps(),
    id,
    slug,
    tags: [...new Set(input.tags)],
    images: input.images.map((image, position) => buildImage(image, position, variants)),
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

/** Builds the row of a new variant without saving it. */
export const buildVariant = (
  input: NewVariant,
  { productId, position }: { productId: string; position: number },
): ProductVariant =>
  Object.assign(new ProductVariant(), {
    id: newId(),
    productId,
    position,
    stockAllocated: 0,
    stockHeld: 0,
    metadata: {},
    ...input,
    ...newTimestamps(),
  })

function newTimestamps() {
  const createdAt = now()
  return { createdAt, updatedAt: createdAt, deletedAt: null }
}

function buildImage(
  { url, alt, variantSkus }: NewImage,
  position: number,
  variants: ProductVariant[],
): ProductImage {
  const skus = new Set(variantSkus)
  const shown = variants.filter(({ sku }) => skus.has(sku))
  return { id: newId(), url, alt, position, variant_ids: shown.map(({ id }) => id) }
}
