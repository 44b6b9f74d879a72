import { Type } from 'typebox'
import { MOST_UNITS } from '#shared/cart/limits.ts'
import { Line, Shape, Uuid } from '#shared/platform/schema.ts'

const Quantity = Type.Integer({ minimum: 1, maximum: MOST_UNITS })

export const NewCartItem = Shape(
  { variant_id: Type.Optional(Uuid), product_id: Type.Optional(Uuid), quantity: Quantity },
  { description: 'Either `variant_id`, or `product_id`, which stands for its first variant' },
)

export const CartItemChange = Shape({ quantity: Quantity })

export const CartItemParams = Shape({ item_id: Uuid })

export const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' })
export const Zone = Type.String({ pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$', description: 'ISO 3166-2' })

/** Where the goods are to go. */
export const DestinationQuery = Shape({
  country: Country,
  zone: Type.Optional(Zone),
  postcode: Type.Optional(Line(20)),
})
