import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { PaymentErrors } from '#shared/payments/errors.ts'
import { MISMATCH_DECISIONS } from '#shared/payments/resolve-mismatch.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { decideMismatch } from '#shared/refunds/decide-mismatch.ts'
import { orderDetailExample } from './examples.ts'
import { OrderDetailView, readOrderDetail } from './order-detail.ts'
import { OrderParams } from './schemas.ts'

export const resolvePayment = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/resolve-payment',
  access: staff('sales:write', 'refund'),
  audit: { action: 'postAdminOrdersOrderIdResolvePayment', resource: 'orders' },
  summary: 'Accept or return a payment of which the gateway captured another amount or currency',
  description:
    '`accept`: the payment pays the order as it is; what exceeds the amount goes back to the buyer. `return`: all of it ' +
    'goes back. Money in another currency than the order’s can only be returned.',
  params: OrderParams,
  body: Shape({ payment_id: Uuid, decision: Type.Enum([...MISMATCH_DECISIONS]) }),
  returns: [200, OrderDetailView],
  errors: [CommonErrors.notFound, PaymentErrors.notMismatched, PaymentErrors.currencyMismatch],
  example: {
    body: { payment_id: '01992f40-0b1c-7d2e-8f3a-4b5c6d7e8f90', decision: 'accept' },
    data: orderDetailExample,
  },
  async handle({ tx, params, body, staff }) {
    const { order_id: orderId } = params
    const { payment_id: paymentId, decision } = body
    await decideMismatch(tx, { orderId, paymentId, decision }, staff.name)
    return (await readOrderDetail(tx, orderId)).view
  },
})
