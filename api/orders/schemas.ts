import { Type } from 'typebox'
import { ORDER_SORTS } from '#shared/orders/list-orders.ts'
import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '#shared/orders/states.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import { CreatedQuery, Line, PageQuery, Shape, Uuid } from '#shared/platform/http/schema.ts'

export const OrderParams = Shape({ order_id: Uuid })

export const AccessQuery = Shape({
  access_token: Type.Optional(
    Type.String({ maxLength: 200, description: "A guest's token from the response of the checkout" }),
  ),
})

export const PayBody = Shape({})

const Sort = Type.Enum([...ORDER_SORTS], { default: '-created_at' })

export const OwnOrdersQuery = Shape({
  ...PageQuery,
  sort: Sort,
  status: Type.Optional(Type.Enum([...ORDER_STATUSES])),
})

export const OrdersQuery = Shape({
  ...OwnOrdersQuery.properties,
  payment_status: Type.Optional(Type.Enum([...ORDER_PAYMENT_STATUSES])),
  customer_id: Type.Optional(Uuid),
  refund_owed: Type.Optional(
    Type.Boolean({
      description:
        'Refunded or canceled orders with captured money that is not refunded, e.g. because a bank returned a refund',
    }),
  ),
  short: Type.Optional(
    Type.Boolean({ description: 'Orders that cannot be filled: not all of their units are on hand' }),
  ),
  q: Type.Optional(Line(200)),
  ...CreatedQuery,
})

export const MarkPaidBody = Shape({ note: Type.Optional(Line(2_000)) })

export const UpdateOrderBody = Shape(
  {
    status: Type.Optional(
      Type.Enum(['shipped', 'complete', 'canceled', 'refunded'], {
        description:
          '`refunded` refunds everything that is left through the payment gateway. `canceled` is for an order of which ' +
          'nothing is paid, also when it is shipped and the buyer did not accept it',
      }),
    ),
    note: Type.Optional(Line(2_000)),
    metadata: Type.Optional(MetadataChange),
    restock: Type.Optional(
      Type.Boolean({
        description:
          'With `canceled`: the shipped goods came back and are on hand again. Default: they stay gone',
      }),
    ),
    override: Type.Optional(
      Type.Boolean({
        description:
          'With `shipped` or `complete`: the order ships although not all of its units are on hand',
      }),
    ),
  },
  { minProperties: 1 },
)
