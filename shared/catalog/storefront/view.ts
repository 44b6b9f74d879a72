import { Type } from 'typebox'
import { Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { ProductAttributeView } from '../attribute-view.ts'
import { OptionValues } from '../variants/view.ts'
import { DimensionsView, ImageView, OptionView } from '../view.ts'

const variantCard = {
  id: Uuid,
  sku: Type.String(),
  option_values: OptionValues,
  price: Money,
  sale_price: { ...Nullable(Money), description: 'Null outside its window' },
  current_price: {
    ...Money,
    description: 'What one unit costs now: the lowest of price, sale and special price',
  },
  in_stock: Type.Boolean({ description: 'Can be bought now, from stock or on backorder' }),
}

const VariantDetail = Shape({
  ...variantCard,
  sale_starts_at: Nullable(Timestamp),
  sale_ends_at: Nullable(Timestamp),
  barcode: Nullable(Type.String()),
  weight: Nullable(Type.Integer({ description: 'Grams' })),
  stock_available: Type.Integer(),
  backorder: Type.Boolean(),
})

const productCard = {
  id: Uuid,
  slug: Type.String(),
  sku: Nullable(Type.String()),
  name: Type.String(),
  price: Money,
  special_price: {
    ...Nullable(Money),
    description: 'The lowest price that a sale or special price gives one unit now; null without any',
  },
  current_price: { ...Money, description: 'The lowest price of one unit now' },
  in_stock: Type.Boolean({ description: 'Can be bought now, from stock or on backorder' }),
  stock_status_name: Type.String(),
  image_url: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  created_at: Timestamp,
}

/** A product in a list of the storefront. */
export const ProductCard = Shape({ ...productCard, variants: Type.Array(Shape(variantCard)) })

const Crumb = Shape({ id: Uuid, slug: Type.String(), name: Type.String() })

const RelatedProduct = Shape({
  id: Uuid,
  slug: Type.String(),
  name: Type.String(),
  price: Money,
  image_url: Nullable(Type.String()),
})

/** A product on its own page of the storefront. */
export const ProductDetail = Shape({
  ...productCard,
  description: Type.String(),
  seo: Shape({ title: Nullable(Type.String()), description: Nullable(Type.String()) }),
  manufacturer: Nullable(Shape({ id: Uuid, name: Type.String() })),
  weight: Nullable(Type.Integer({ description: 'Grams' })),
  dimensions: Nullable(DimensionsView),
  options: Type.Array(OptionView),
  images: Type.Array(ImageView),
  variants: Type.Array(VariantDetail),
  attributes: Type.Array(ProductAttributeView, { description: 'Those of a group stand together' }),
  quantity_discounts: Type.Array(
    Shape({ min_quantity: Type.Integer({ description: 'Units of one line' }), price: Money }),
    { description: 'What a unit costs when more are bought, unless it costs less already' },
  ),
  breadcrumbs: Type.Array(Crumb, { description: 'From the root to the deepest of its categories' }),
  related: Type.Array(RelatedProduct),
})

const category = {
  id: Uuid,
  parent_id: Nullable(Uuid),
  slug: Type.String(),
  name: Type.String(),
  description: Type.String(),
  position: Type.Integer(),
}

/** A category with all that stands below it. */
export const CategoryTree = Type.Cyclic(
  { Category: Shape({ ...category, children: Type.Array(Type.Ref('Category')) }) },
  'Category',
)

/** A category on its own page: the path to it, and the shelves right below it. */
export const CategoryDetail = Shape({
  ...category,
  breadcrumbs: Type.Array(Crumb, { description: 'From the root to the category itself' }),
  children: Type.Array(Shape(category)),
})
