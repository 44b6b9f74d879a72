import { type Static, Type } from 'typebox'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { I18nText, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Store } from '#shared/stores/store.ts'
import { ProductAttributeAssignmentView, viewProductAttribute } from './attribute-view.ts'
import { PriceRuleView, viewPriceRule } from './price-rule.ts'
import type { Product, WholeProduct } from './product.ts'
import type { ProductVariant } from './variant.ts'
import { VariantView, viewVariant } from './variant-view.ts'

export const OptionView = Shape({ name: Type.String(), values: Type.Array(Type.String()) })

export const ProductImageView = Shape({
  id: Uuid,
  url: Type.String(),
  alt: Type.String(),
  position: Type.Integer(),
  variant_ids: Type.Array(Uuid, { description: 'The variants that it shows; empty: all' }),
})

const Grams = Type.Integer({ minimum: 0, description: 'Grams' })
const Millimetres = Type.Integer({ minimum: 0, description: 'Millimetres' })

export const DimensionsView = Shape({ length: Millimetres, width: Millimetres, height: Millimetres })

export const ProductSeoView = Shape({
  title_i18n: Type.Optional(I18nText(500)),
  description_i18n: Type.Optional(I18nText(2_000)),
})

export const ProductView = Shape({
  id: Uuid,
  slug: Type.String(),
  sku: Type.String(),
  name_i18n: I18nText(500),
  description_i18n: I18nText(100_000),
  seo: ProductSeoView,
  manufacturer_id: Nullable(Uuid),
  tax_class_id: { ...Nullable(Uuid), description: "Null: the store's default class" },
  stock_status_id: Nullable(Uuid),
  category_ids: Type.Array(Uuid),
  price: Money,
  weight: Nullable(Grams),
  dimensions: Nullable(DimensionsView),
  options: Type.Array(OptionView),
  images: Type.Array(ProductImageView),
  attributes: Type.Array(ProductAttributeAssignmentView),
  price_rules: Type.Array(PriceRuleView),
  related_ids: Type.Array(Uuid, {
    description: 'Chosen by staff; empty: the storefront shows products of the same category',
  }),
  tags: Type.Array(Type.String()),
  metadata: Metadata,
  is_active: Type.Boolean(),
  variants: Type.Array(VariantView),
  created_at: Timestamp,
  updated_at: { ...Timestamp, description: 'Also the last change of the stock' },
  deleted_at: Nullable(Timestamp),
})

/** Returns the time of the last change of a product, or of the stock of a variant. */
const changedAt = ({ updatedAt }: Product, variants: ProductVariant[]): Date => {
  const stockChanges = variants.flatMap(({ stockChangedAt }) => stockChangedAt?.getTime() ?? [])
  return new Date(Math.max(updatedAt.getTime(), ...stockChanges))
}

/** The store's settings that a view needs. */
type StoreSettings = Pick<Store, 'currency' | 'defaultLanguage'>

/** Returns a product as staff and webhooks see it. A variant's `price` is null if the product's price applies. */
export function viewProduct(
  { product, variants, categoryIds, attributes, priceRules, relatedIds }: WholeProduct,
  { currency, defaultLanguage }: StoreSettings,
  language = defaultLanguage,
): Static<typeof ProductView> {
  return {
    id: product.id,
    slug: product.slug,
    sku: toText(product.sku),
    name_i18n: product.nameI18n,
    description_i18n: product.descriptionI18n,
    seo: product.seo,
    manufacturer_id: product.manufacturerId,
    tax_class_id: product.taxClassId,
    stock_status_id: product.stockStatusId,
    category_ids: categoryIds,
    price: toMajor(product.priceMinor, currency),
    weight: product.weightGrams,
    dimensions: product.dimensions,
    options: product.options,
    images: product.images,
    attributes: attributes.map((attribute) => viewProductAttribute(attribute, language, defaultLanguage)),
    price_rules: priceRules.map((rule) => viewPriceRule(rule, currency)),
    related_ids: relatedIds,
    tags: product.tags,
    metadata: product.metadata,
    is_active: product.isActive,
    variants: variants.map((variant) => viewVariant(variant, currency)),
    created_at: toTimestamp(product.createdAt),
    updated_at: toTimestamp(changedAt(product, variants)),
    deleted_at: toTimestampOrNull(product.deletedAt),
  }
}
