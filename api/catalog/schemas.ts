import { Type } from 'typebox'
import { PriceRuleKind } from '#shared/catalog/price-rule.ts'
import { MAX_VARIANTS } from '#shared/catalog/variants/create-variant.ts'
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
import { WebUrl } from '#shared/platform/http/web-url.ts'
import { Grams, OptionName, Sku, VariantRequest } from './variant-input.ts'

/** A slug in a path has no pattern, so that an unknown one returns 404 and not 422. */
export const SlugParams = Shape({ slug: Type.String({ maxLength: 300 }) })

export const ProductParams = Shape({ product_id: Uuid })

const Millimetres = Type.Integer({ minimum: 0, maximum: MAX_INT4, description: 'Millimetres' })
const Url = WebUrl(2_000)
const Alt = Type.String({ maxLength: 500 })

const AttributeValues = Type.Array(Shape({ attribute_id: Uuid, value: Line(255) }), {
  maxItems: 200,
  description: 'Each attribute once',
})

const window = {
  starts_at: Type.Optional({ ...Nullable(Timestamp), description: 'Null: immediately' }),
  ends_at: Type.Optional({
    ...Nullable(Timestamp),
    description: 'Exclusive; null: no end',
  }),
}
const RulePrice = Type.Number({ maximum: 999_999_999_999, description: 'Major units, above zero' })

const PriceRules = Type.Array(
  Shape({
    kind: PriceRuleKind,
    min_quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'The number of units of one line from which it applies: 1 for a special price, at least 2 for a quantity discount',
      }),
    ),
    price: RulePrice,
    ...window,
    customer_group_id: Type.Optional({
      ...Nullable(Uuid),
      description: 'The customers whom it is for; null: everyone',
    }),
  }),
  {
    maxItems: 100,
    description:
      'Special prices and quantity discounts. The lowest price that applies is used, whatever their order. Prices of a ' +
      'customer group apply in the carts and orders of its customers; the catalog, which is public, does not show them.',
  },
)

const Related = Type.Array(Uuid, {
  maxItems: 50,
  description: 'Related products in display order; empty: the storefront shows products of the same category',
})

const productFields = {
  slug: Type.Optional(Slug),
  sku: Type.Optional(Clearable(Sku)),
  description_i18n: Type.Optional(I18nText(50_000)),
  seo: Type.Optional(
    Shape({ title_i18n: Type.Optional(I18nText(300)), description_i18n: Type.Optional(I18nText(1_000)) }),
  ),
  manufacturer_id: Type.Optional(Nullable(Uuid)),
  tax_class_id: Type.Optional({ ...Nullable(Uuid), description: "Null: the store's default class" }),
  stock_status_id: Type.Optional({
    ...Nullable(Uuid),
    description: 'The text that storefronts show when the product is out of stock',
  }),
  category_ids: Type.Optional(Type.Array(Uuid, { maxItems: 100 })),
  weight: Type.Optional(Nullable(Grams)),
  dimensions: Type.Optional(
    Nullable(Shape({ length: Millimetres, width: Millimetres, height: Millimetres })),
  ),
  options: Type.Optional(
    Type.Array(Shape({ name: OptionName, values: Type.Array(OptionName, { minItems: 1, maxItems: 200 }) }), {
      maxItems: 10,
    }),
  ),
  tags: Type.Optional(Type.Array(Line(100), { maxItems: 100 })),
  attributes: Type.Optional(AttributeValues),
  price_rules: Type.Optional(PriceRules),
  related_ids: Type.Optional(Related),
  is_active: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(MetadataChange),
}

export const CreateProductRequest = Shape({
  name_i18n: I18nLine(300),
  price: Money,
  ...productFields,
  images: Type.Optional(
    Type.Array(
      Shape({
        url: Url,
        alt: Type.Optional(Alt),
        variant_skus: Type.Optional(Type.Array(Sku, { maxItems: 1_000 })),
      }),
      { maxItems: 250 },
    ),
  ),
  variants: Type.Optional(
    Type.Array(VariantRequest, {
      maxItems: MAX_VARIANTS,
      description: 'Empty: the product gets one variant without options',
    }),
  ),
})

const Images = Type.Array(
  Shape({
    id: Type.Optional(Uuid),
    url: Url,
    alt: Type.Optional(Alt),
    variant_ids: Type.Optional(Type.Array(Uuid, { maxItems: 1_000 })),
  }),
  {
    maxItems: 250,
    description: 'In display order. An image with the id or URL of an existing one keeps its id',
  },
)

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
