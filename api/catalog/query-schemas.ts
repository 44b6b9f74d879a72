import { Type } from 'typebox'
import { ADMIN_PRODUCT_SORTS } from '#shared/catalog/find-products.ts'
import { PRODUCT_SORTS } from '#shared/catalog/storefront/list-products.ts'
import { CreatedQuery, Line, Money, PageQuery, Shape, Slug, Uuid } from '#shared/platform/http/schema.ts'

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
