import { defineErrors } from '#shared/platform/errors.ts'

const HOW_TO_OVERRIDE =
  'To refund more, send `override: true` and a `reason` to POST /admin/orders/{order_id}/refunds.'

export const RefundErrors = defineErrors({
  nothingToRefund: {
    code: 'order.nothing_to_refund',
    status: 409,
    message: ({ refundable }: { refundable?: string }) =>
      refundable
        ? `This refund would be 0. ${refundable} of this order can still be refunded: choose more units, or send \`amount\`.`
        : 'This order has no captured money left to refund. See its payments and its refunds.',
  },
  exceedsPaid: {
    code: 'refund.exceeds_paid',
    status: 422,
    message: ({ refundable }: { refundable: string }) =>
      `A refund cannot exceed what was paid. Refund at most ${refundable}.`,
  },
  quantityExceeded: {
    code: 'refund.quantity_exceeded',
    status: 422,
    message: ({ name, left, replaced }: { name: string; left: number; replaced?: number }) =>
      `A refund cannot exceed the units that are left. Of ${name}, refund at most ${left}.` +
      (replaced ? ` Replacement orders send ${replaced} again. ${HOW_TO_OVERRIDE}` : ''),
  },
  voucherSpent: {
    code: 'refund.voucher_spent',
    status: 422,
    message: ({ unspent, refundable }: { unspent: string; refundable: string }) =>
      `A gift voucher that this order bought is partly spent: ${unspent} remains. Refund at most ${refundable}. ` +
      `${HOW_TO_OVERRIDE}`,
  },
  unitsReplaced: {
    code: 'refund.units_replaced',
    status: 422,
    message: ({ refundable }: { refundable: string }) =>
      'Replacement orders send units of this order again, so their price is not refunded. Refund at most ' +
      `${refundable}. ${HOW_TO_OVERRIDE}`,
  },
  replacedUnitsRefunded: {
    code: 'order.replaced_units_refunded',
    status: 409,
    message:
      'The buyer already has the money for the units that this replacement sends again. Cancel the replacement, or ' +
      'choose another action of the return.',
  },
  inProgress: {
    code: 'refund.in_progress',
    status: 409,
    message: 'Another refund of this order is in progress. Wait until it is settled, then try again.',
  },
  limitReached: {
    code: 'refund.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `An order has at most ${limit} refunds. Set the order to refunded: that refunds all that is left.`,
  },
  gatewayError: {
    code: 'payment.gateway_error',
    status: 502,
    message: ({ reason }: { reason: string | null }) =>
      `The payment gateway refused the refund${reason ? ` (${reason})` : ''}. See the order's refunds before trying ` +
      'again.',
  },
})
