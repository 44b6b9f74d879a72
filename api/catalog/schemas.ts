import { Type } from 'typebox'
import { PriceRuleKind } from '#shared/catalog/prices/price-rule.ts'
import { MAX_VARIANTS } from '#shared/catalog/variants/add-variant.ts'
import {
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
import { Grams, OptionName, Sku, VariantRequest } from './variant-schemas.ts'

/** A slug in a path is looked up as it is: whatever it holds, no such product is 404. */
export const SlugParams = Shape({ slug: Type.String({ maxLength: 300 }) })

export const ProductParams = Shape({ product_id: Uuid })

const Millimetres = Type.Integer({ minimum: 0, maximum: MAX_INT4, description: 'Millimetres' })
const Url = Type.String({ pattern: '^https?://', maxLength: 2_000 })
const Alt = Type.String({ maxLength: 500 })

const AttributeValues = Type.Array(Shape({ attribute_id: Uuid, value: Line(255) }), {
  maxItems: 200,
  description: 'Each attribute once',
})

const window = {
  starts_at: Type.Optional({ ...Nullable(Timestamp), description: 'Null: from now on' }),
  ends_at: Type.Optional({
    ...Nullable(Timestamp),
    description: 'The moment from which on it is over; null: never',
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
          'Units of one line from which on it applies: at least 2 of a quantity discount, 1 of a special price',
      }),
    ),
    price: RulePrice,
    ...window,
  }),
  {
    maxItems: 100,
    description:
      'Special prices and quantity discounts. The lowest price that applies counts, whatever their order.',
  },
)

const Related = Type.Array(Uuid, {
  maxItems: 50,
  description: 'Products to show beside it, in their order; none: the storefront shows neighbours',
})

const productFields = {
  slug: Type.Optional(Slug),
  sku: Type.Optional(Nullable(Sku)),
  description_i18n: Type.Optional(I18nText(50_000)),
  seo: Type.Optional(
    Shape({ title_i18n: Type.Optional(I18nText(300)), description_i18n: Type.Optional(I18nText(1_000)) }),
  ),
  manufacturer_id: Type.Optional(Nullable(Uuid)),
  tax_class_id: Type.Optional({ ...Nullable(Uuid), description: "Null: the store's default class" }),
  stock_status_id: Type.Optional({
    ...Nullable(Uuid),
    description: 'What storefronts say when nothing is in stock',
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
      description: 'None: the product gets one, without options',
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
    description: 'In their order; one that names its id, or else has its URL, stays the same picture',
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
