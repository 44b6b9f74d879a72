import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import { type AllOrNone, defineErrors } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'

export const VoucherErrors = defineErrors({
  notFound: {
    code: 'voucher.not_found',
    status: 404,
    message: 'No usable voucher has this code. Check the code.',
  },
  inactive: {
    code: 'voucher.inactive',
    status: 422,
    message: 'This voucher is not active. Use another, or ask the store.',
  },
  expired: {
    code: 'voucher.expired',
    status: 422,
    message: 'This voucher has expired. Use another, or ask the store.',
  },
  empty: {
    code: 'voucher.empty',
    status: 422,
    message:
      'This voucher is used up, or its balance is reserved by an order that awaits payment. Use another.',
  },
  currencyMismatch: {
    code: 'voucher.currency_mismatch',
    status: 422,
    message: ({ currency }: { currency: string }) =>
      `The currency of this voucher is ${currency}, not that of the order. Use another.`,
  },
  insufficientBalance: {
    code: 'voucher.insufficient_balance',
    status: 422,
    message: ({
      remaining,
      needed,
      currency,
    }: AllOrNone<{ remaining: number; needed: number; currency: string }>) =>
      'The voucher does not cover the ' +
      `amount${needed === undefined ? '' : `: ${remaining} of ${needed} ${currency}`}. Choose a payment method for ` +
      'the rest, or another voucher.',
  },
  codeTaken: {
    code: 'voucher.code_taken',
    status: 409,
    message: 'Another voucher of this store has this code. Choose another, or leave it out to generate one.',
  },
  amountBelowSpent: {
    code: 'voucher.amount_below_spent',
    status: 409,
    message: ({ minimum }: { minimum: number }) =>
      `Orders have spent or reserved more than that. Set an amount of at least ${minimum}.`,
  },
  amountOutOfRange: {
    code: 'voucher.amount_out_of_range',
    status: 422,
    message: ({ minimum, maximum, currency }: { minimum: number; maximum: number; currency: string }) =>
      `Gift vouchers are sold from ${minimum} to ${maximum} ${currency}. Choose an amount between them.`,
  },
  orderFixed: {
    code: 'voucher.order_fixed',
    status: 409,
    message: 'This voucher was bought with its order, which cannot be changed. Leave `order_id` out.',
  },
  awaitsPayment: {
    code: 'voucher.awaits_payment',
    status: 409,
    message: 'This voucher was bought with an unpaid order. It becomes active when the order is paid.',
  },
  inUse: {
    code: 'voucher.in_use',
    status: 409,
    message:
      'This voucher was bought, used or given for a return, so its ledger is kept. Deactivate it instead: leave out ' +
      '`purge`.',
  },
  themeInUse: {
    code: 'voucher.theme_in_use',
    status: 409,
    message: 'Vouchers use this theme. Give them another theme, then delete it.',
  },
})

/**
 * Returns the coded error of a violated constraint of a voucher's row. `path` is the path of the voucher in the input.
 */
export function toVoucherError(error: unknown, path: string[] = []): unknown {
  switch (violatedConstraint(error)) {
    case 'vouchers_code':
      return VoucherErrors.codeTaken()
    case 'vouchers_theme':
    case 'cart_vouchers_theme':
      return invalid(
        [...path, 'voucher_theme_id'],
        'This store does not have this voucher theme. Use the id of an existing one',
      )
    case 'vouchers_order':
      return invalid(
        [...path, 'order_id'],
        'This store does not have this order. Use the id of an existing one',
      )
    default:
      return error
  }
}

/** The errors of a voucher that cannot be spent. */
export const VOUCHER_SPENDING_ERRORS = [
  VoucherErrors.inactive,
  VoucherErrors.expired,
  VoucherErrors.empty,
  VoucherErrors.insufficientBalance,
] as const
