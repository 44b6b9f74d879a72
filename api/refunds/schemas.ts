import { Type } from 'typebox'
import { Line, PositiveAmount, Shape, Uuid } from '#shared/platform/http/schema.ts'

export const CreateRefundRequest = Shape({
  amount: Type.Optional(
    PositiveAmount('Any part of the price, in the steps of the payment gateway; not together with items'),
  ),
  items: Type.Optional(
    Type.Array(Shape({ order_item_id: Uuid, quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }), {
      minItems: 1,
      maxItems: 500,
      description:
        'Units of lines, refunded at the price that was paid. A gift voucher is refunded at its unspent part',
    }),
  ),
  shipping_amount: Type.Optional(PositiveAmount('For shipping, in addition to the items')),
  restock: Type.Optional(Type.Boolean({ description: 'Return the units of `items` to stock' })),
  override: Type.Optional(
    Type.Boolean({
      description:
        'Refund the spent part of gift vouchers and replaced units too, and outside the gateway while a dispute is ' +
        'open. Needs `reason`',
    }),
  ),
  outside_gateway: Type.Optional(
    Type.Boolean({
      description:
        'The buyer has been paid by other means, e.g. by transfer: the refund is settled immediately. Needs `reason`',
    }),
  ),
  reason: Type.Optional({ ...Line(500), description: 'The buyer reads it in the mail about the refund' }),
})
