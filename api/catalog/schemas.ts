import { Type } from 'typebox'
import { PriceRuleKind, PriceRuleView } from '#shared/catalog/price-rule.ts'
import { MAX_VARIANTS } from '#shared/catalog/variants/create-variant.ts'
import { ProductView } from '#shared/catalog/view.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import {
  Clearable,
  I18nLine,
  I18nText,
  Line,
  MAX_INT4,
  Money,
  Nullable,
  Shape,
  Slug,
  Timestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { SeoTexts } from '#shared/platform/http/seo-texts.ts'
import { WebUrl } from '#shared/platform/http/web-url.ts'
import { Grams, OptionName, Sku, VariantRequest } from './variant-input.ts'

/** A slug in a path has no pattern, so that an unknown slug returns 404 and not 422. */
export const SlugParams = Shape({ slug: Type.String({ maxLength: 300 }) })

export const ProductParams = Shape({ product_id: Uuid })

const Millimetres = Type.Integer({ minimum: 0, maximum: MAX_INT4, description: 'Millimetres' })
const Alt = Type.String({ maxLength: 500 })

export const ProductAttributeRequest = Shape({ attribute_id: Uuid, value: Line(255) })

const AttributeValues = Type.Array(ProductAttributeRequest, {
  maxItems: 200,
  description: 'Each attribute once',
})

const validity = {
  starts_at: Type.Optional({ ...Nullable(Timestamp), description: 'Null: immediately' }),
  ends_at: Type.Optional({
    ...Nullable(Timestamp),
    description: 'Exclusive; null: no end',
  }),
}
const RulePrice = Type.Number({ maximum: 999_999_999_999, description: 'Major units, above zero' })

export const PriceRuleRequest = Shape({
  kind: PriceRuleKind,
  min_quantity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'The number of units of one line from which it applies: 1 for a special price, at least 2 for a quantity ' +
        'discount',
    }),
  ),
  price: RulePrice,
  ...validity,
  customer_group_id: Type.Optional(PriceRuleView.properties.customer_group_id),
})

const PriceRules = Type.Array(PriceRuleRequest, {
  maxItems: 100,
  description:
    'Special prices and quantity discounts. The lowest price that applies is used, whatever their order. Prices of a ' +
    'customer group apply in the carts and orders of its customers; the catalog, which is public, does not show them.',
})

const Related = Type.Array(Uuid, {
  maxItems: 50,
  description: 'Related products in display order; empty: the storefront shows products of the same category',
})

export const DimensionsRequest = Shape({ length: Millimetres, width: Millimetres, height: Millimetres })

export const ProductOptionRequest = Shape({
  name: OptionName,
  values: Type.Array(OptionName, { minItems: 1, maxItems: 200 }),
})

const productFields = {
  slug: Type.Optional(Slug),
  sku: Type.Optional(Clearable(Sku)),
  description_i18n: Type.Optional(I18nText(50_000)),
  seo: Type.Optional(SeoTexts),
  manufacturer_id: Type.Optional(Nullable(Uuid)),
  tax_class_id: Type.Optional(ProductView.properties.tax_class_id),
  stock_status_id: Type.Optional({
    ...Nullable(Uuid),
    description: 'The text that storefronts show when the product is out of stock',
  }),
  category_ids: Type.Optional(Type.Array(Uuid, { maxItems: 100 })),
  weight: Type.Optional(Nullable(Grams)),
  dimensions: Type.Optional(Nullable(DimensionsRequest)),
  options: Type.Optional(Type.Array(ProductOptionRequest, { maxItems: 10 })),
  tags: Type.Optional(Type.Array(Line(100), { maxItems: 100 })),
  attributes: Type.Optional(AttributeValues),
  price_rules: Type.Optional(PriceRules),
  related_ids: Type.Optional(Related),
  is_active: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(MetadataChange),
}

/** An image of a new product. It names variants by SKU, because they have no ids yet. */
export const NewProductImageRequest = Shape({
  url: WebUrl,
  alt: Type.Optional(Alt),
  variant_skus: Type.Optional(Type.Array(Sku, { maxItems: 1_000 })),
})

export const CreateProductRequest = Shape({
  name_i18n: I18nLine(300),
  price: Money,
  ...productFields,
  images: Type.Optional(Type.Array(NewProductImageRequest, { maxItems: 250 })),
  variants: Type.Optional(
    Type.Array(VariantRequest, {
      maxItems: MAX_VARIANTS,
      description: 'Empty: the product gets one variant without options',
    }),
  ),
})

export const ProductImageRequest = Shape({
  id: Type.Optional(Uuid),
  url: WebUrl,
  alt: Type.Optional(Alt),
  variant_ids: Type.Optional(Type.Array(Uuid, { maxItems: 1_000 })),
})

const Images = Type.Array(ProductImageRequest, {
  maxItems: 250,
  description: 'In display order. An image with the id or URL of an existing one keeps its id',
})

export const UpdateProductRequest = Shape({
  name_i18n: Type.Optional(I18nLine(300)),
  price: Type.Optional(Money),
  ...productFields,
  images: Type.Optional(Images),
})

export const ReplaceAttributesRequest = Shape({ items: AttributeValues })
export const ReplacePriceRulesRequest = Shape({ items: PriceRules })
export const ReplaceImagesRequest = Shape({ items: Images })
export const ReplaceRelatedRequest = Shape({ items: Related })
export const ReplaceCategoriesRequest = Shape({ items: Type.Array(Uuid, { maxItems: 100 }) })
