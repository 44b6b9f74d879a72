import { defineErrors } from '#shared/platform/errors.ts'

export const VoucherErrors = defineErrors({
  notFound: {
    code: 'voucher.not_found',
    status: 404,
    message: 'There is no voucher with this code that can be used. Check the code.',
  },
  inactive: {
    code: 'voucher.inactive',
    status: 422,
    message: 'This voucher is not active. Use another, or ask the store.',
  },
  expired: {
    code: 'voucher.expired',
    status: 422,
    message: 'The time of this voucher is over. Use another, or ask the store.',
  },
  empty: {
    code: 'voucher.empty',
    status: 422,
    message:
      'Nothing is left of this voucher, or an order that waits for its payment has the rest. Use another.',
  },
  currencyMismatch: {
    code: 'voucher.currency_mismatch',
    status: 422,
    message: ({ currency }) =>
      `This voucher is in ${currency ?? 'another currency'}, which is not the order's. Use another.`,
  },
  insufficientBalance: {
    code: 'voucher.insufficient_balance',
    status: 422,
    message: ({ remaining, needed, currency }) =>
      `The voucher does not cover what it is to pay${needed === undefined ? '' : `: ${remaining} of ${needed} ${currency}`}. Choose a way to pay the rest, or another voucher.`,
  },
  codeTaken: {
    code: 'voucher.code_taken',
    status: 409,
    message: 'Another voucher of this store has this code. Choose another, or leave it out to have one made.',
  },
  amountBelowSpent: {
    code: 'voucher.amount_below_spent',
    status: 409,
    message: ({ least }) =>
      `Orders have more of this voucher than that. Give it an amount of at least ${least ?? 'what they have'}.`,
  },
  amountOutOfRange: {
    code: 'voucher.amount_out_of_range',
    status: 422,
    message: ({ least, most, currency }) =>
      least === undefined
        ? 'Gift vouchers of this amount are not sold. Choose another.'
        : `Gift vouchers are sold from ${least} to ${most} ${currency}. Choose an amount between them.`,
  },
  orderFixed: {
    code: 'voucher.order_fixed',
    status: 409,
    message: 'This voucher was bought with its order, and stays with it. Leave `order_id` out.',
  },
  awaitsPayment: {
    code: 'voucher.awaits_payment',
    status: 409,
    message: 'This voucher was bought with an order that is not paid. It becomes active when the order is.',
  },
  inUse: {
    code: 'voucher.in_use',
    status: 409,
    message:
      'This voucher was bought, used or given for a return, so its ledger is kept. Deactivate it instead: leave out `purge`.',
  },
  themeInUse: {
    code: 'voucher.theme_in_use',
    status: 409,
    message: 'Vouchers have this theme. Give them another, then delete it.',
  },
})
