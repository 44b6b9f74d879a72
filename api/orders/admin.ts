import { Type } from 'typebox'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { page, reply } from '#api/platform/output/reply.ts'
import { AS_CSV } from '#api/platform/output/send-csv.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CouponErrors } from '#shared/coupons/errors.ts'
import { assertMayShip } from '#shared/disputes/assert-may-ship.ts'
import { DisputeErrors } from '#shared/disputes/errors.ts'
import { mailNewAddress } from '#shared/order-mails/mail-new-address.ts'
import { OrderErrors, StockErrors } from '#shared/orders/errors.ts'
import { exportOrders } from '#shared/orders/export-orders.ts'
import { findFilteredOrderIds, type OrderFinders } from '#shared/orders/find-filtered-order-ids.ts'
import { listOrders } from '#shared/orders/list-orders.ts'
import { updateOrder as update } from '#shared/orders/update/update-order.ts'
import { OrderView } from '#shared/orders/view.ts'
import { findOrderIdsToDecide } from '#shared/payments/payment.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { RecurringPlanErrors } from '#shared/recurring-plans/errors.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { findOrderIdsToRefund } from '#shared/refunds/find-order-ids-to-refund.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { recordOfflinePayment } from '#shared/settlement/record-offline-payment.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { findOrderIdsOfSubscription } from '#shared/subscriptions/charges/charges-of-order.ts'
import { VOUCHER_SPENDING_ERRORS } from '#shared/vouchers/errors.ts'
import { orderDetailExample, orderExample, paidOrderExample } from './examples.ts'
import { OrderDetailView, readOrderDetail } from './order-detail.ts'
import { toOfflinePayment } from './read-request.ts'
import { respondAfterRefund } from './respond-after-refund.ts'
import { respondWithOrder } from './respond-with-order.ts'
import { MarkOrderPaidRequest, OrderParams, OrdersQuery, UpdateOrderRequest } from './schemas.ts'

const FINDERS: OrderFinders = {
  ofSubscription: findOrderIdsOfSubscription,
  byNeed: { payment_decision: findOrderIdsToDecide, refund: findOrderIdsToRefund },
}

export const listAdminOrders = endpoint({
  method: 'get',
  path: '/admin/orders',
  access: staff('sales:read'),
  audit: { action: 'getAdminOrders', resource: 'orders' },
  paginated: true,
  summary: 'List orders',
  description:
    '`q` finds beginnings of words of numbers, names and e-mail addresses. `short` finds orders whose units are not ' +
    'all on hand, e.g. after a count or an import: the oldest orders get the units first, and variants on backorder ' +
    'are never short. ' +
    AS_CSV,
  query: OrdersQuery,
  returns: [200, Type.Array(OrderView)],
  example: { data: [orderExample] },
  async handle({ tx, query }) {
    const ids = await findFilteredOrderIds(tx, query, FINDERS)
    return page(await listOrders(tx, { ...query, ids }), query)
  },
  async csv({ tx, query }) {
    const ids = await findFilteredOrderIds(tx, query, FINDERS)
    return exportOrders(tx, { ...query, ids })
  },
})

export const readAdminOrder = endpoint({
  method: 'get',
  path: '/admin/orders/:order_id',
  access: staff('sales:read'),
  audit: { action: 'getAdminOrdersOrderId', resource: 'orders' },
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

export const updateOrder = endpoint({
  method: 'patch',
  path: '/admin/orders/:order_id',
  access: staff('sales:write'),
  audit: { action: 'patchAdminOrdersOrderId', resource: 'orders' },
  summary: "Change an order's status, shipping address or metadata, or add a note to its history",
  description:
    '200: done, or done before. 202: a refund is in progress at the payment gateway.\n\n' +
    '- `refunded` starts a refund of all that is left. It needs the right `refund`. The order takes the status when ' +
    'the money is back. If a bank returns the money later (`refund_owed`), send `refunded` again. It is refused ' +
    'while vouchers that the order bought are spent, or its units are replaced: refund a part, or refund with ' +
    '`override`.\n- `canceled` releases stock, coupon and voucher. A shipped or complete order can be canceled while ' +
    'nothing of its total is paid, e.g. when the buyer refused it on delivery or sent it back. Its received returns ' +
    'are then owed nothing.\n- `shipped` is refused while a refund is in ' +
    'progress that pays all that is left or restocks its units. If units are not on hand, it needs `override`, which ' +
    'the history notes.\n- A new `shipping_address` of a paid order is mailed to the buyer, without the street. No ' +
    'setting switches that off.',
  params: OrderParams,
  body: UpdateOrderRequest,
  returns: [200, 202, OrderView],
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    OrderErrors.invalidTransition,
    OrderErrors.refundRequired,
    OrderErrors.stockShort,
    OrderErrors.addressFixed,
    OrderErrors.addressInOtherZone,
    OrderErrors.historyLimitReached,
    StaffErrors.refundForbidden,
    RefundErrors.nothingToRefund,
    RefundErrors.voucherSpent,
    RefundErrors.unitsReplaced,
    RefundErrors.replacedUnitsRefunded,
    RefundErrors.inProgress,
    RefundErrors.gatewayError,
    DisputeErrors.orderDisputed,
    DisputeErrors.voucherPaidBack,
  ],
  example: { body: { status: 'refunded', note: 'Never arrived' }, data: orderExample },
  async handle({ tx, params, body, staff, ifMatch }) {
    const refund = await update(tx, params.order_id, toCamelCase(body), {
      staff,
      ifMatch,
      refunds: { refundRemainder },
      shipping: { assertMayShip },
      mails: { mailNewAddress },
    })
    return refund?.id ?? null
  },
  async respond({ store, params, request }, refundId) {
    return respondAfterRefund(store.id, params.order_id, refundId, preferWait(request))
  },
})

export const markOrderPaid = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/mark-paid',
  // Support sessions may not do this, because a paid order activates the vouchers that it bought.
  access: staffNotSupport('sales:write', 'mark_paid'),
  audit: { action: 'postAdminOrdersOrderIdMarkPaid', resource: 'orders' },
  summary: 'Mark an order as paid outside the gateway',
  description:
    'For example by bank transfer, or to the courier. An order that awaits payment becomes processing. The part that ' +
    'a gift voucher pays is captured; the payment is the rest.\n\n' +
    '`amount` records received money in every status of the order, e.g. of a late or second transfer. It pays an ' +
    'unpaid order. Less than what is due returns 422: record it once the rest has arrived. What the order does not ' +
    'need is listed in its `surpluses`: return it, then call `mark-surplus-returned`. An order that is canceled or ' +
    'paid needs nothing; one whose stock, coupon or voucher is gone is canceled. Send an `Idempotency-Key`: each ' +
    'request records money.',
  params: OrderParams,
  body: MarkOrderPaidRequest,
  returns: [200, OrderView],
  errors: [
    CommonErrors.notFound,
    OrderErrors.notPayable,
    StockErrors.insufficientStock,
    CouponErrors.usageExceeded,
    RecurringPlanErrors.trialUsed,
    ...VOUCHER_SPENDING_ERRORS,
  ],
  example: { body: { note: 'Statement of 11 October' }, data: paidOrderExample },
  async handle({ tx, store, params, body, staff }) {
    await recordOfflinePayment(tx, params.order_id, toOfflinePayment(body, store.currency), staff.name)
    return respondWithOrder(tx, params.order_id)
  },
})
