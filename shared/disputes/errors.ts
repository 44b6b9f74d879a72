import { defineErrors } from '#shared/platform/errors.ts'

export const DisputeErrors = defineErrors({
  orderDisputed: {
    code: 'order.disputed',
    status: 409,
    message: ({ reason, payer }: { reason: string | null; payer?: 'voucher' }) =>
      `${
        payer === 'voucher'
          ? 'The payment of the gift voucher that pays this order is disputed at the bank'
          : `The buyer disputes the payment at the bank${reason ? ` (${reason})` : ''}`
      }. Ship, replace or credit the goods, ` +
      'or pay the buyer by other means, when the dispute is closed.',
  },
  voucherPaidBack: {
    code: 'order.voucher_paid_back',
    status: 409,
    message:
      'The price of the gift voucher that pays this order was paid back to the buyer of the voucher. Refund and ' +
      'cancel the order: that covers the loss. To send the goods nevertheless, issue another voucher for a new order.',
  },
})
