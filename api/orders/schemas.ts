import { Type } from 'typebox'
import { AddressRequest } from '#api/customers/schemas.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { ORDERS } from '#shared/orders/list-orders.ts'
import { SETTABLE_ORDER_STATUSES } from '#shared/orders/states.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import { PageQuery } from '#shared/platform/http/query-parameters.ts'
import { Changes, Email, Line, PositiveAmount, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { MISMATCH_DECISIONS } from '#shared/settlement/resolve-mismatch.ts'

export const OrderParams = Shape({ order_id: Uuid })

export const AccessQuery = Shape({
  access_token: Type.Optional(
    Type.String({ maxLength: 200, description: "A guest's token from the response of the checkout" }),
  ),
})

export const PayOrderRequest = Shape({})

export const LookUpOrderRequest = Shape({ number: Line(50), email: Email })

export const OwnOrdersQuery = Shape({
  ...PageQuery,
  sort: Type.Enum(ORDERS.sortNames, { default: ORDERS.order }),
  status: ORDERS.filters.status,
  subscription_id: ORDERS.filters.subscription_id,
})

export const OrdersQuery = listQuery(ORDERS)

export const MarkOrderPaidRequest = Shape({
  note: Type.Optional(Line(2_000)),
  amount: Type.Optional(
    PositiveAmount('The received money. Default: all that is due, of an order that can still be paid'),
  ),
})

export const ResolvePaymentRequest = Shape({
  payment_id: Uuid,
  decision: Type.Enum([...MISMATCH_DECISIONS]),
})

export const MarkSurplusReturnedRequest = Shape({ surplus_id: Uuid, reason: Line(500) })

export const UpdateOrderRequest = Changes({
  status: Type.Enum([...SETTABLE_ORDER_STATUSES], {
    description:
      '`refunded` refunds everything that is left through the payment gateway. `canceled` is for an order of which ' +
      'nothing is paid, also when it is shipped or complete and the buyer did not accept it or sent it back',
  }),
  note: {
    ...Line(2_000),
    description: 'For staff, in the history of the order. The buyer does not see it',
  },
  metadata: MetadataChange,
  shipping_address: {
    ...AddressRequest,
    description:
      'Replaces the whole address, before the first shipment and within the same country and geo zones. The history ' +
      'keeps the former one',
  },
  restock: Type.Boolean({
    description:
      'With `canceled`: the shipped goods came back and are on hand again. Default: they stay gone',
  }),
  override: Type.Boolean({
    description: 'With `shipped` or `complete`: the order ships although not all of its units are on hand',
  }),
})
