import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import { invalid } from '#shared/platform/validation.ts'
import { VoucherErrors } from './errors.ts'

/** What the database's refusal of a voucher's row means to whoever sent it `within` a request; any other error as it is. */
export function refusalOf(error: unknown, path: string[] = []): unknown {
  switch (violatedConstraint(error)) {
    case 'vouchers_code':
      return VoucherErrors.codeTaken()
    case 'vouchers_theme':
    case 'cart_vouchers_theme':
      return invalid([...path, 'voucher_theme_id'], 'This store has no such voucher theme')
    case 'vouchers_order':
      return invalid([...path, 'order_id'], 'This store has no such order')
    default:
      return error
  }
}
