import { sum } from '#shared/platform/money.ts'
import { CartErrors } from './errors.ts'
import { MAX_TOTAL_MINOR } from './limits.ts'

interface Goods {
  lines: readonly { lineTotalMinor: bigint }[]
  vouchers: readonly { amountMinor: bigint }[]
}

/** Throws `cart.total_too_large` for lines and vouchers above the maximum total of an order. */
export function assertMaxTotal({ lines, vouchers }: Goods): void {
  const linesMinor = sum(lines.map(({ lineTotalMinor }) => lineTotalMinor))
  const vouchersMinor = sum(vouchers.map(({ amountMinor }) => amountMinor))
  if (linesMinor + vouchersMinor > MAX_TOTAL_MINOR) throw CartErrors.totalTooLarge()
}
