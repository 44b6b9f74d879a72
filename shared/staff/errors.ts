import { defineErrors } from '../platform/errors.ts'

export const StaffErrors = defineErrors({
  refundForbidden: {
    code: 'order.refund_forbidden',
    status: 403,
    message: 'Your role may not refund. Ask someone whose role holds the right "refund".',
  },
  paymentForbidden: {
    code: 'order.payment_forbidden',
    status: 403,
    message: 'Your role may not mark orders as paid. Ask someone whose role holds the right "mark_paid".',
  },
})
