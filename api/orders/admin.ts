import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { page, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { SPENDING_ERRORS } from '#api/vouchers/spending-errors.ts'
import { CouponErrors } from '#shared/coupons/errors.ts'
import { OrderErrors, StockErrors } from '#shared/orders/errors.ts'
import { listOrders as list } from '#shared/orders/list-orders.ts'
import { OrderView } from '#shared/orders/view.ts'
import { markPaid } from '#shared/payments/mark-paid.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { orderDetailExample, orderExample, paidOrderExample } from './examples.ts'
import { OrderDetailView, readOrderDetail } from './order-detail.ts'
import { MarkPaidBody, OrderParams, OrdersQuery } from './schemas.ts'
import { showOrder } from './show-order.ts'

export const listAdminOrders = endpoint({
  method: 'get',
  path: '/admin/orders',
  access: staff('sales:read'),
  paginated: true,
  summary: 'List orders',
  description: '`q` searches numbers, names and e-mail addresses.',
  query: OrdersQuery,
  returns: [200, Type.Array(OrderView)],
  example: { data: [orderExample] },
  async handle({ tx, query }) {
    return page(await list(tx, query), query)
  },
})

export const readAdminOrder = endpoint({
  method: 'get',
  path: '/admin/orders/:order_id',
  access: staff('sales:read'),
  summary: 'Read an order with its payments and its history',
  params: OrderParams,
  returns: [200, OrderDetailView],
  errors: [CommonErrors.notFound],
  example: { data: orderDetailExample },
  async handle({ tx, params }) {
    const { order, view } = await readOrderDetail(tx, params.order_id)
    return reply(200, view, { ETag: entityTag(order) })
  },
})

export const markOrderPaid = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/mark-paid',
  access: staff('sales:write', 'mark_paid'),
  audit: { action: 'postAdminOrdersOrderIdMarkPaid', resource: 'orders' },
  summary: 'Mark an order as paid outside the gateway',
  description:
    'For example by bank transfer, or to the courier. An order that awaits payment becomes processing. The part that a ' +
    'gift voucher pays is captured; the payment is the rest.',
  params: OrderParams,
  body: MarkPaidBody,
  returns: [200, OrderView],
  errors: [
    CommonErrors.notFound,
    OrderErrors.notPayable,
    StockErrors.insufficient,
    CouponErrors.usageExceeded,
    ...SPENDING_ERRORS,
  ],
  example: { body: { note: 'Statement of 11 October' }, data: paidOrderExample },
  async handle({ tx, params, body, staff }) {
    await markPaid(tx, params.order_id, staff.name, { note: body.note ?? null })
    return showOrder(tx, params.order_id)
  },
})
