import { Type } from 'typebox'
import { ADMIN_PRODUCT_SORTS } from '#shared/catalog/find-products.ts'
import { PRODUCT_SORTS } from '#shared/catalog/list-products.ts'
import { MOST_VARIANTS } from '#shared/catalog/variants/add-variant.ts'
import { MOST_STOCK } from '#shared/catalog/variants/adjust-stock.ts'
import { PriceRuleKind } from '#shared/catalog/view.ts'
import {
  CreatedQuery,
  I18nLine,
  I18nText,
  Line,
  Money,
  Nullable,
  PageQuery,
  Shape,
  Slug,
  Timestamp,
  Uuid,
} from '#shared/platform/schema.ts'

const Words = Type.String({ minLength: 1, maxLength: 200, description: 'Words to search for' })

const AttributeChoice = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}:[\\s\\S]{1,255}$',
})

export const ProductListQuery = Shape({
  ...PageQuery,
  sort: Type.Enum([...PRODUCT_SORTS], { default: '-created_at' }),
  q: Type.Optional(Words),
  category: Type.Optional({ ...Slug, description: 'Slug of a category; what stands below it counts in' }),
  manufacturer: Type.Optional(Uuid),
  tag: Type.Optional(Line(100)),
  attribute: Type.Optional(
    Type.Unsafe<string | string[]>({
      anyOf: [AttributeChoice, { type: 'array', items: AttributeChoice, maxItems: 20 }],
      description:
        "An attribute's id, a colon and the value; may come several times. Of one attribute any of the values will do, " +
        'of several each must.',
    }),
  ),
  facets: Type.Optional(
    Type.Boolean({
      description: 'Adds `facets` to `meta`: what the list can be narrowed by, and the counts',
    }),
  ),
  price_min: Type.Optional({ ...Money, description: 'At least; of the lowest price of one unit now' }),
  price_max: Type.Optional({ ...Money, description: 'At most; of the lowest price of one unit now' }),
  in_stock: Type.Optional(
    Type.Boolean({ description: 'Can be bought now, from stock or on backorder; or cannot' }),
  ),
})

/** A slug in a path is looked up as it is: whatever it holds, no such product is 404. */
export const SlugParams = Shape({ slug: Type.String({ maxLength: 300 }) })

export const ProductParams = Shape({ product_id: Uuid })

export const AdminProductQuery = Shape({
  ...PageQuery,
  sort: Type.Enum([...ADMIN_PRODUCT_SORTS], { default: '-created_at' }),
  q: Type.Optional(Words),
  is_active: Type.Optional(Type.Boolean()),
  deleted: Type.Optional(
    Type.Boolean({ description: 'Those that are deleted, and can be restored, instead' }),
  ),
  category_id: Type.Optional(Uuid),
  sku: Type.Optional(Line(100)),
  ...CreatedQuery,
})

const Sku = Line(100)
const LARGEST_INT4 = 2_147_483_647
const Grams = Type.Integer({ minimum: 0, maximum: LARGEST_INT4, description: 'Grams' })
const Millimetres = Type.Integer({ minimum: 0, maximum: LARGEST_INT4, description: 'Millimetres' })
const Url = Type.String({ pattern: '^https?://', maxLength: 2_000 })
const Alt = Type.String({ maxLength: 500 })
const OptionName = Line(100)

const variantFields = {
  option_values: Type.Optional(
    Type.Record(Type.String({ pattern: '^[\\s\\S]{1,100}$' }), OptionName, {
      additionalProperties: false,
      maxProperties: 10,
    }),
  ),
  price: Type.Optional({ ...Nullable(Money), description: "Null: the product's price" }),
  sale_price: Type.Optional(Nullable(Money)),
  sale_starts_at: Type.Optional(Nullable(Timestamp)),
  sale_ends_at: Type.Optional(Nullable(Timestamp)),
  barcode: Type.Optional(Nullable(Line(100))),
  weight: Type.Optional(Nullable(Grams)),
  backorder: Type.Optional(Type.Boolean()),
  is_active: Type.Optional(Type.Boolean()),
}

const Stock = Type.Integer({ minimum: 0, maximum: MOST_STOCK })

export const VariantRequest = Shape({ sku: Sku, ...variantFields, stock_on_hand: Type.Optional(Stock) })

export const VariantChangeRequest = Shape({ sku: Type.Optional(Sku), ...variantFields })

export const VariantParams = Shape({ product_id: Uuid, variant_id: Uuid })

export const StockParams = Shape({ variant_id: Uuid })

export const AdjustStockRequest = Shape(
  {
    delta: Type.Optional(Type.Integer({ minimum: -MOST_STOCK, maximum: MOST_STOCK })),
    stock_on_hand: Type.Optional(Stock),
    note: Type.Optional({ ...Nullable(Line(500)), description: 'Why' }),
  },
  { description: 'Either `delta`, units that came or went, or `stock_on_hand`, units that were counted' },
)

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
      maxItems: MOST_VARIANTS,
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
