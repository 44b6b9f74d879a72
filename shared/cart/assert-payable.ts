import { sum } from '#shared/platform/money.ts'
import { CartErrors } from './errors.ts'
import { LARGEST_TOTAL_MINOR } from './limits.ts'

interface Goods {
  lines: readonly { lineTotalMinor: bigint }[]
  vouchers: readonly { amountMinor: bigint }[]
}

/** Refuses lines and vouchers that come to more than an order can hold: `cart.total_too_large`. */
export function assertPayable({ lines, vouchers }: Goods): void {
  const linesMinor = sum(lines.map(({ lineTotalMinor }) => lineTotalMinor))
  const vouchersMinor = sum(vouchers.map(({ amountMinor }) => amountMinor))
  if (linesMinor + vouchersMinor > LARGEST_TOTAL_MINOR) throw CartErrors.totalTooLarge()
}
