import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { assertNoOpenDispute } from '#shared/disputes/dispute.ts'
import { DisputeErrors } from '#shared/disputes/errors.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { PaymentErrors } from '#shared/payments/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { markSurplusReturned } from '#shared/refunds/request/mark-surplus-returned.ts'
import { resolveMismatch } from '#shared/settlement/resolve-mismatch.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { assertMayResolve } from './assert-may-resolve.ts'
import { orderDetailExample } from './examples.ts'
import { OrderDetailView, readOrderDetail } from './order-detail.ts'
import { MarkSurplusReturnedRequest, OrderParams, ResolvePaymentRequest } from './schemas.ts'

export const resolveMismatchedPayment = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/resolve-payment',
  access: staff('sales:write', 'refund'),
  audit: { action: 'postAdminOrdersOrderIdResolvePayment', resource: 'orders' },
  summary: 'Accept or return a payment of which the gateway captured another amount or currency',
  description:
    '`accept`: the payment pays the order as it is; what exceeds the amount goes back to the buyer. `return`: all of ' +
    'it goes back. Money in another currency than the order’s can only be returned. `accept` marks the order as ' +
    'paid, also for less than is due, so it needs the right `mark_paid`, and support sessions may not do it.',
  params: OrderParams,
  body: ResolvePaymentRequest,
  returns: [200, OrderDetailView],
  errors: [
    CommonErrors.notFound,
    PaymentErrors.notMismatched,
    PaymentErrors.currencyMismatch,
    StaffErrors.paymentForbidden,
    AuthErrors.supportForbidden,
  ],
  example: {
    body: { payment_id: '01992f40-0b1c-7d2e-8f3a-4b5c6d7e8f90', decision: 'accept' },
    data: orderDetailExample,
  },
  async handle({ tx, params, body, staff }) {
    const { order_id: orderId } = params
    const { payment_id: paymentId, decision } = body
    assertMayResolve(staff, decision)
    await resolveMismatch(tx, { orderId, paymentId, decision }, staff.name)
    return (await readOrderDetail(tx, orderId)).view
  },
})

export const markOrderSurplusReturned = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/mark-surplus-returned',
  access: staff('sales:write', 'refund'),
  audit: { action: 'postAdminOrdersOrderIdMarkSurplusReturned', resource: 'orders' },
  summary: 'Record that a surplus was returned by other means',
  description:
    'The gateway returns a surplus automatically and repeats what fails. When it cannot, e.g. because the card was ' +
    'closed or the money came by transfer, pay the buyer and record it here. It is not possible while a refund at ' +
    'the gateway is in progress, nor while the bank decides about a dispute of that payment: the buyer could get the ' +
    'money twice.',
  params: OrderParams,
  body: MarkSurplusReturnedRequest,
  returns: [200, OrderDetailView],
  errors: [
    CommonErrors.notFound,
    RefundErrors.inProgress,
    RefundErrors.nothingToRefund,
    DisputeErrors.orderDisputed,
  ],
  example: {
    body: { surplus_id: '01992f53-0c1a-7b2e-9d3f-4a5b6c7d8e9f', reason: 'Transfer of 14 October' },
    data: orderDetailExample,
  },
  async handle({ tx, params, body, staff }) {
    const { order_id: orderId } = params
    const { surplus_id: surplusId, reason } = body
    await markSurplusReturned(
      tx,
      { orderId, surplusId, reason },
      { actor: staff.name, disputes: { assertNoOpenDispute } },
    )
    return (await readOrderDetail(tx, orderId)).view
  },
})
