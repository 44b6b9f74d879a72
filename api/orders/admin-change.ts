import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { OrderView } from '#shared/orders/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Line, Shape } from '#shared/platform/http/schema.ts'
import { amendOrder } from '#shared/refunds/amend-order.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { assertMay } from '#shared/staff/may.ts'
import { answerAmended } from './answer-amended.ts'
import { orderExample } from './examples.ts'
import { OrderParams } from './schemas.ts'

const OrderChanges = Shape(
  {
    status: Type.Optional(
      Type.Enum(['shipped', 'complete', 'canceled', 'refunded'], {
        description: '`refunded` gives back all that is left, through the payment gateway',
      }),
    ),
    note: Type.Optional(Line(2_000)),
  },
  { minProperties: 1 },
)

export const changeOrder = endpoint({
  method: 'patch',
  path: '/admin/orders/:order_id',
  access: staff('sales:write'),
  audit: { action: 'patchAdminOrdersOrderId', resource: 'orders' },
  summary: "Change an order's status, or note something in its history",
  description:
    'Status `refunded` is a money movement: it needs the right `refund`, and the order takes it when the money is ' +
    'back. 200: done, or done before. 202: the refund is under way at the payment gateway.',
  params: OrderParams,
  body: OrderChanges,
  returns: [200, 202, OrderView],
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    OrderErrors.invalidTransition,
    OrderErrors.refundRequired,
    StaffErrors.refundForbidden,
    RefundErrors.nothingToRefund,
    RefundErrors.exceedsPaid,
    RefundErrors.inProgress,
    RefundErrors.gatewayRefused,
  ],
  example: { body: { status: 'refunded', note: 'Never arrived' }, data: orderExample },
  async handle({ tx, params, body, staff, request }) {
    if (body.status === 'refunded') assertMay(staff, 'refund')
    const change = { actor: staff.name, ifMatch: request.headers['if-match'] } as const
    const refund = await amendOrder(tx, params.order_id, body, change)
    return refund?.id ?? null
  },
  async respond({ store, params, request }, refundId) {
    return answerAmended(store.id, params.order_id, refundId, preferWait(request))
  },
})
