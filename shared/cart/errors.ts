import { defineErrors } from '#shared/platform/errors.ts'
import { MAX_EXPLAINED_PRICES, MAX_LINES, MAX_UNITS, MAX_VOUCHERS } from './limits.ts'

export const CartErrors = defineErrors({
  tooManyUnits: {
    code: 'cart.too_many_units',
    status: 422,
    message: `A cart takes at most ${MAX_UNITS} units of one variant. Lower the quantity.`,
  },
  totalTooLarge: {
    code: 'cart.total_too_large',
    status: 422,
    message: 'The total exceeds the maximum of one order. Lower the quantities, or split the order.',
  },
  voucherLimitReached: {
    code: 'cart.voucher_limit_reached',
    status: 422,
    message: `A cart takes at most ${MAX_VOUCHERS} gift vouchers. Check out, or remove one.`,
  },
  lineLimitReached: {
    code: 'cart.line_limit_reached',
    status: 422,
    message: `A cart takes at most ${MAX_LINES} lines. Check out, or remove a line.`,
  },
  tooManyPrices: {
    code: 'cart.too_many_prices',
    status: 422,
    message: `This cart has more than ${MAX_EXPLAINED_PRICES} possible prices. Read it without \`explain\`.`,
  },
})
