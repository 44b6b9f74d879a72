import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { updateOrder } from '#shared/orders/update-order.ts'
import { OrderView } from '#shared/orders/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Line, Shape } from '#shared/platform/http/schema.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { assertNotBeingRefunded } from '#shared/refunds/refund.ts'
import { refundRemainder } from '#shared/refunds/request-refund.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { assertMay } from '#shared/staff/may.ts'
import { orderExample } from './examples.ts'
import { respondWithOrder } from './respond-with-order.ts'
import { OrderParams } from './schemas.ts'

const OrderChanges = Shape(
  {
    status: Type.Optional(
      Type.Enum(['shipped', 'complete', 'canceled', 'refunded'], {
        description: '`refunded` refunds everything that is left, through the payment gateway',
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
  summary: "Change an order's status, or add a note to its history",
  description:
    'Status `refunded` starts a refund, which needs the permission `refund`; the order takes the status when the money ' +
    'is back. 200: done, or done before. 202: the refund is in progress at the payment gateway.',
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
    const ifMatch = request.headers['if-match']
    const refunds = { refundRemainder, assertNotBeingRefunded }
    const refund = await updateOrder(tx, params.order_id, body, { actor: staff.name, ifMatch, refunds })
    return refund?.id ?? null
  },
  async respond({ store, params, request }, refundId) {
    return respondWithOrder(store.id, params.order_id, refundId, preferWait(request))
  },
})
