import { defineErrors } from '#shared/platform/errors.ts'

export const RefundErrors = defineErrors({
  nothingToRefund: {
    code: 'order.nothing_to_refund',
    status: 409,
    message: 'This order has no captured money left to refund. See its payments and its refunds.',
  },
  exceedsPaid: {
    code: 'refund.exceeds_paid',
    status: 422,
    message: ({ refundable }) =>
      `A refund cannot exceed what was paid. Refund at most ${refundable ?? 'the rest'}.`,
  },
  quantityExceeded: {
    code: 'refund.quantity_exceeded',
    status: 422,
    message: ({ name, left }) =>
      `A refund cannot exceed the units that are left. Of ${name ?? 'this line'}, refund at most ${left ?? 'the rest'}.`,
  },
  inProgress: {
    code: 'refund.in_progress',
    status: 409,
    message: 'Another refund of this order is in progress. Wait until it is settled, then try again.',
  },
  gatewayRefused: {
    code: 'payment.gateway_error',
    status: 502,
    message: ({ reason }) =>
      `The payment gateway refused the refund${reason ? ` (${reason})` : ''}. See the order's refunds before trying again.`,
  },
})
