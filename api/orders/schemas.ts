import { Type } from 'typebox'
import { AddressRequest } from '#api/customers/schemas.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { PAY_BY_VOUCHER } from '#shared/checkout/choose-voucher.ts'
import { ORDER_NEEDS } from '#shared/orders/find-filtered-order-ids.ts'
import { ORDERS } from '#shared/orders/list-orders.ts'
import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES, SETTABLE_ORDER_STATUSES } from '#shared/orders/states.ts'
import { PAYMENT_METHODS } from '#shared/payment-methods/payment-method.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import {
  Changes,
  CommaSeparated,
  Email,
  Line,
  PageQuery,
  Shape,
  UpdatedQuery,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { MISMATCH_DECISIONS } from '#shared/settlement/resolve-mismatch.ts'

/** `voucher`: a gift voucher pays the whole order. `none`: the order is a replacement. */
const ORDER_PAYMENT_METHODS = [...PAYMENT_METHODS, PAY_BY_VOUCHER, 'none'] as const

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
  status: CommaSeparated(Type.Enum([...ORDER_STATUSES]), ORDER_STATUSES.length),
  subscription_id: Type.Optional({
    ...Uuid,
    description: 'The charges of a subscription',
  }),
})

export const OrdersQuery = listQuery(ORDERS, {
  status: OwnOrdersQuery.properties.status,
  payment_status: Type.Optional(Type.Enum([...ORDER_PAYMENT_STATUSES])),
  payment_method: CommaSeparated(Type.Enum([...ORDER_PAYMENT_METHODS]), ORDER_PAYMENT_METHODS.length),
  customer_id: Type.Optional(Uuid),
  subscription_id: OwnOrdersQuery.properties.subscription_id,
  refund_owed: Type.Optional(
    Type.Boolean({
      description:
        'Refunded or canceled orders with captured money that is not refunded, e.g. because a bank returned a refund',
    }),
  ),
  needs: Type.Optional(
    Type.Enum([...ORDER_NEEDS], {
      description:
        'Orders that wait for staff. `payment_decision`: the gateway captured another amount or currency than was ' +
        'requested. `refund`: a refund failed, e.g. because a bank returned its money, and later ones have not paid ' +
        'as much; also of an order that is refunded in part. Or the gateway has refused to return a surplus',
    }),
  ),
  short: Type.Optional(
    Type.Boolean({ description: 'Orders that cannot be filled: not all of their units are on hand' }),
  ),
  ...UpdatedQuery,
})

export const MarkOrderPaidRequest = Shape({ note: Type.Optional(Line(2_000)) })

export const ResolvePaymentRequest = Shape({
  payment_id: Uuid,
  decision: Type.Enum([...MISMATCH_DECISIONS]),
})

export const MarkSurplusReturnedRequest = Shape({ surplus_id: Uuid, reason: Line(500) })

export const UpdateOrderRequest = Changes({
  status: Type.Enum([...SETTABLE_ORDER_STATUSES], {
    description:
      '`refunded` refunds everything that is left through the payment gateway. `canceled` is for an order of which ' +
      'nothing is paid, also when it is shipped and the buyer did not accept it',
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
