import { Type } from 'typebox'
import { OrderParams } from '#api/orders/schemas.ts'
import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { page, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { assertNoOpenDispute } from '#shared/disputes/dispute.ts'
import { DisputeErrors } from '#shared/disputes/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { awaitRefund } from '#shared/refunds/await-refund.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { listRefunds, REFUNDS } from '#shared/refunds/list-refunds.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { RefundView, viewRefund } from '#shared/refunds/view.ts'
import { refundExample } from './examples.ts'
import { toRefundRequest } from './read-request.ts'
import { CreateRefundRequest } from './schemas.ts'

export const createRefund = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/refunds',
  access: staff('sales:write', 'refund'),
  audit: { action: 'postAdminOrdersOrderIdRefunds', resource: 'orders' },
  summary: 'Refund an order in full or in part',
  description:
    'Send either `amount`, or `items` and `shipping_amount`. 201: the refund is settled, see its `status`. 202: it ' +
    'is in progress at the payment gateway; the event `order.refunded` or `order.refund_failed` follows.\n\n' +
    '- `override` refunds value that the buyer keeps: the spent part of gift vouchers that the order bought ' +
    '(`refund.voucher_spent`), and units that a replacement order sends again (`refund.units_replaced`, ' +
    '`refund.quantity_exceeded`).\n- `outside_gateway` records that the buyer was paid by other means, e.g. after a ' +
    'bank returned the money of a refund. The part that a gift voucher paid is still refunded to the voucher. While ' +
    'a bank decides about a dispute of the order, it needs `override`, because the buyer could get the money twice.\n' +
    '- Refunds of items and shipping of a card payment are rounded to the steps of the gateway, e.g. 0.01 KWD. All ' +
    'refunds of an order add up to the paid amount.',
  params: OrderParams,
  body: CreateRefundRequest,
  idempotency: 'required',
  returns: [201, 202, RefundView],
  errors: [
    CommonErrors.notFound,
    RefundErrors.nothingToRefund,
    RefundErrors.exceedsPaid,
    RefundErrors.quantityExceeded,
    RefundErrors.voucherSpent,
    RefundErrors.unitsReplaced,
    RefundErrors.inProgress,
    RefundErrors.limitReached,
    DisputeErrors.orderDisputed,
  ],
  example: {
    body: {
      items: [{ order_item_id: '01992f40-1c5e-7d0a-8c1f-3b7a9e2d4c10', quantity: 1 }],
      shipping_amount: 4.9,
      restock: true,
      reason: 'Arrived damaged',
    },
    data: refundExample,
  },
  async handle({ tx, store, params, body, staff }) {
    const request = toRefundRequest(body, store.currency)
    const refund = await requestRefund(tx, params.order_id, request, {
      actor: staff.name,
      disputes: { assertNoOpenDispute },
    })
    return refund.id
  },
  async respond({ store, request }, refundId) {
    const refund = await awaitRefund(store.id, refundId, preferWait(request))
    return reply(refund.isInProgress ? 202 : 201, viewRefund(refund))
  },
})

export const listOrderRefunds = endpoint({
  method: 'get',
  path: '/admin/orders/:order_id/refunds',
  access: staff('sales:read'),
  summary: 'List the refunds of an order, newest first',
  params: OrderParams,
  query: listQuery(REFUNDS),
  paginated: true,
  returns: [200, Type.Array(RefundView)],
  errors: [CommonErrors.notFound],
  example: { data: [refundExample] },
  async handle({ tx, params, query }) {
    return page(await listRefunds(tx, params.order_id, query), query, viewRefund)
  },
})
