import type { PriceRule } from './prices/price-rule.ts'
import type { ProductDimensions, ProductImage, ProductOption, ProductSeo, Texts } from './product.ts'
import type { AttributeValue } from './product-attribute.ts'

/** A variant to be made. Prices in minor units. */
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
}

/** A picture to be made; it shows the variants with these SKUs, none meaning all. */
export interface NewImage extends Pick<ProductImage, 'url' | 'alt'> {
  variantSkus: string[]
}

/** A product to be made with its variants. Prices in minor units. */
export interface NewProduct {
  /** Made of the name when absent. */
  slug?: string
  sku: string | null
  nameI18n: Texts
  descriptionI18n: Texts
  seo: ProductSeo
  manufacturerId: string | null
  /** None: it is taxed as the store's default class. */
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
  /** Products to show beside it. */
  relatedIds: string[]
  tags: string[]
  isActive: boolean
  /** Empty only for a product without options, which then gets one. */
  variants: NewVariant[]
}
