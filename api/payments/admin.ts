import { Type } from 'typebox'
import { orderDetailExample } from '#api/orders/examples.ts'
import { OrderDetailView, readOrderDetail } from '#api/orders/order-detail.ts'
import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { PaymentErrors } from '#shared/payments/errors.ts'
import { MISMATCH_DECISIONS, resolveMismatch } from '#shared/payments/resolve-mismatch.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'

export const resolvePayment = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/payments/:payment_id/resolve',
  access: staff('sales:write', 'refund'),
  audit: { action: 'postAdminOrdersOrderIdPaymentsPaymentIdResolve', resource: 'orders' },
  summary: 'Accept or return a payment of which the gateway captured another amount or currency',
  description:
    '`accept`: the payment pays the order as it is; what exceeds the amount goes back to the buyer. `return`: all of it ' +
    'goes back. Money in another currency than the order’s can only be returned.',
  params: Shape({ order_id: Uuid, payment_id: Uuid }),
  body: Shape({ decision: Type.Enum([...MISMATCH_DECISIONS]) }),
  returns: [200, OrderDetailView],
  errors: [CommonErrors.notFound, PaymentErrors.notMismatched, PaymentErrors.currencyMismatch],
  example: { body: { decision: 'accept' }, data: orderDetailExample },
  async handle({ tx, params, body, staff }) {
    const { order_id: orderId, payment_id: paymentId } = params
    await resolveMismatch(tx, { orderId, paymentId, decision: body.decision }, staff.name)
    return (await readOrderDetail(tx, orderId)).view
  },
})
