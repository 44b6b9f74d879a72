import { Type } from 'typebox'
import { Line, PageQuery, Shape, Uuid } from '#shared/platform/http/schema.ts'

const Amount = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 999_999_999_999, description: `Major units. ${description}` })

export const RefundRequestBody = Shape({
  amount: Type.Optional(Amount('A sum, whatever it is for; sent without items')),
  items: Type.Optional(
    Type.Array(Shape({ order_item_id: Uuid, quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }), {
      minItems: 1,
      maxItems: 500,
      description: 'Units of lines, at what was paid for them',
    }),
  ),
  shipping_amount: Type.Optional(Amount('For shipping, on top of the items')),
  restock: Type.Optional(Type.Boolean({ description: 'Put the units of `items` back on sale' })),
  reason: Type.Optional(Line(500)),
})

export const RefundsQuery = Shape(PageQuery)
