import { defineErrors } from '#shared/platform/errors.ts'
import { MOST_LINES, MOST_UNITS, MOST_VOUCHERS } from './limits.ts'

export const CartErrors = defineErrors({
  tooManyUnits: {
    code: 'cart.too_many_units',
    status: 422,
    message: `A cart takes at most ${MOST_UNITS} units of one variant. Lower the quantity.`,
  },
  totalTooLarge: {
    code: 'cart.total_too_large',
    status: 422,
    message: 'This comes to more than one order can hold. Lower the quantities, and order in parts.',
  },
  tooManyVouchers: {
    code: 'cart.too_many_vouchers',
    status: 422,
    message: `A cart takes at most ${MOST_VOUCHERS} gift vouchers. Check out, or remove one.`,
  },
  tooManyLines: {
    code: 'cart.too_many_lines',
    status: 422,
    message: `A cart takes at most ${MOST_LINES} lines. Check out, or remove a line.`,
  },
})
