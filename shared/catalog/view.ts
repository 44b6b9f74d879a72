import { type Static, Type } from 'typebox'
import { toMajor } from '../platform/money.ts'
import {
  I18nText,
  Money,
  Nullable,
  pickText,
  Shape,
  Timestamp,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '../platform/schema.ts'
import type { Store } from '../stores/store.ts'
import type { PriceRule } from './price-rule.ts'
import type { Product } from './product.ts'
import type { AttributeAssignment } from './product-attribute.ts'
import type { ProductVariant } from './product-variant.ts'
import { MOVEMENT_REASONS, type StockMovement } from './stock-movement.ts'

export const OptionView = Shape({ name: Type.String(), values: Type.Array(Type.String()) })

export const ImageView = Shape({
  id: Uuid,
  url: Type.String(),
  alt: Type.String(),
  position: Type.Integer(),
  variant_ids: Type.Array(Uuid, { description: 'The variants it shows; none: all' }),
})

export const OptionValues = Type.Record(Type.String(), Type.String(), {
  description: 'The choice made, by option name',
})

const Grams = Type.Integer({ minimum: 0, description: 'Grams' })
const Millimetres = Type.Integer({ minimum: 0, description: 'Millimetres' })

export const DimensionsView = Shape({ length: Millimetres, width: Millimetres, height: Millimetres })

export const VariantView = Shape({
  id: Uuid,
  sku: Type.String(),
  position: Type.Integer(),
  option_values: OptionValues,
  price: { ...Nullable(Money), description: "Null: the product's price" },
  sale_price: {
    ...Nullable(Money),
    description: 'Kept outside its window too; storefronts show it inside alone',
  },
  sale_starts_at: Nullable(Timestamp),
  sale_ends_at: Nullable(Timestamp),
  barcode: Nullable(Type.String()),
  weight: Nullable(Grams),
  stock_on_hand: Type.Integer(),
  stock_available: Type.Integer({ description: 'On hand, less what is sold or in a checkout' }),
  backorder: Type.Boolean({ description: 'May be sold past its stock' }),
  is_active: Type.Boolean(),
})

/** A value of an attribute, with names in the caller's language (interface document, section 2). */
export const ProductAttributeView = Shape({
  id: Type.String(),
  attribute_id: Type.String(),
  attribute_name: Type.String(),
  group_id: Type.String(),
  group_name: Type.String(),
  value: Type.String(),
})

export const PriceRuleKind = Type.Enum(['special', 'quantity'])

export const PriceRuleView = Shape({
  kind: PriceRuleKind,
  min_quantity: Type.Integer({
    description: 'Units of one line from which on it applies; 1 for a special price',
  }),
  price: Money,
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
})

export const ProductView = Shape({
  id: Uuid,
  slug: Type.String(),
  sku: Nullable(Type.String()),
  name_i18n: I18nText(500),
  description_i18n: I18nText(100_000),
  seo: Shape({
    title_i18n: Type.Optional(I18nText(500)),
    description_i18n: Type.Optional(I18nText(2_000)),
  }),
  manufacturer_id: Nullable(Uuid),
  tax_class_id: { ...Nullable(Uuid), description: "Null: the store's default class" },
  stock_status_id: Nullable(Uuid),
  category_ids: Type.Array(Uuid),
  price: Money,
  weight: Nullable(Grams),
  dimensions: Nullable(DimensionsView),
  options: Type.Array(OptionView),
  images: Type.Array(ImageView),
  attributes: Type.Array(ProductAttributeView),
  price_rules: Type.Array(PriceRuleView),
  related_ids: Type.Array(Uuid, { description: 'Chosen by staff; none: the storefront shows neighbours' }),
  tags: Type.Array(Type.String()),
  is_active: Type.Boolean(),
  variants: Type.Array(VariantView),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
})

/** A product with what belongs to it; variants in their order. */
export interface WholeProduct {
  product: Product
  variants: ProductVariant[]
  categoryIds: string[]
  /** In the order of their groups. */
  attributes: AttributeAssignment[]
  priceRules: PriceRule[]
  /** In their order. */
  relatedIds: string[]
}

/** A store's currency, and the language for callers who have none. */
type Setting = Pick<Store, 'currency' | 'defaultLanguage'>

/** A product as staff see it and webhooks tell it. A variant's `price` is null where the product's holds. */
export function viewProduct(
  { product, variants, categoryIds, attributes, priceRules, relatedIds }: WholeProduct,
  { currency, defaultLanguage }: Setting,
  language = defaultLanguage,
): Static<typeof ProductView> {
  return {
    id: product.id,
    slug: product.slug,
    sku: product.sku,
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
    attributes: attributes.map((attribute) => viewAttribute(attribute, language, defaultLanguage)),
    price_rules: priceRules.map((rule) => viewPriceRule(rule, currency)),
    related_ids: relatedIds,
    tags: product.tags,
    is_active: product.isActive,
    variants: variants.map((variant) => viewVariant(variant, currency)),
    created_at: toTimestamp(product.createdAt),
    updated_at: toTimestamp(product.updatedAt),
    deleted_at: toTimestampOrNull(product.deletedAt),
  }
}

/** A variant as staff see it: its sale stands there before and after its window too. */
export function viewVariant(variant: ProductVariant, currency: string): Static<typeof VariantView> {
  return {
    id: variant.id,
    sku: variant.sku,
    position: variant.position,
    option_values: variant.optionValues,
    price: majorOrNull(variant.priceMinor, currency),
    sale_price: majorOrNull(variant.salePriceMinor, currency),
    sale_starts_at: toTimestampOrNull(variant.saleStartsAt),
    sale_ends_at: toTimestampOrNull(variant.saleEndsAt),
    barcode: variant.barcode,
    weight: variant.weightGrams,
    stock_on_hand: variant.stockOnHand,
    stock_available: variant.stockAvailable,
    backorder: variant.backorder,
    is_active: variant.isActive,
  }
}

/** A value of an attribute, its names in the asked language, else in the store's. */
export const viewAttribute = (
  { id, attributeId, attributeNameI18n, groupId, groupNameI18n, value }: AttributeAssignment,
  language: string,
  fallback: string,
): Static<typeof ProductAttributeView> => ({
  id,
  attribute_id: attributeId,
  attribute_name: pickText(attributeNameI18n, language, fallback),
  group_id: groupId,
  group_name: pickText(groupNameI18n, language, fallback),
  value,
})

export const viewPriceRule = (
  { minQuantity, priceMinor, startsAt, endsAt }: PriceRule,
  currency: string,
): Static<typeof PriceRuleView> => ({
  kind: minQuantity === 1 ? 'special' : 'quantity',
  min_quantity: minQuantity,
  price: toMajor(priceMinor, currency),
  starts_at: toTimestampOrNull(startsAt),
  ends_at: toTimestampOrNull(endsAt),
})

const majorOrNull = (minor: bigint | null, currency: string): number | null =>
  minor === null ? null : toMajor(minor, currency)

export const StockMovementView = Shape({
  id: Uuid,
  variant_id: Uuid,
  delta: Type.Integer({ description: 'Units that came, or went below zero' }),
  reason: Type.Enum([...MOVEMENT_REASONS]),
  reference: { ...Nullable(Type.String()), description: 'The order, return or import that it belongs to' },
  note: Nullable(Type.String()),
  created_at: Timestamp,
})

export const viewMovement = (movement: StockMovement): Static<typeof StockMovementView> => ({
  id: movement.id,
  variant_id: movement.variantId,
  delta: movement.delta,
  reason: movement.reason,
  reference: movement.reference,
  note: movement.note,
  created_at: toTimestamp(movement.createdAt),
})
