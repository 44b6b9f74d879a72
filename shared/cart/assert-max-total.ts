import { sum } from '#shared/platform/money.ts'
import { CartErrors } from './errors.ts'
import { MAX_TOTAL_MINOR } from './limits.ts'

interface Goods {
  lines: readonly { lineTotalMinor: bigint }[]
  giftVouchers: readonly { amountMinor: bigint }[]
}

/** Throws `cart.total_too_large` for lines and gift vouchers above the maximum total of an order. */
export function assertMaxTotal({ lines, giftVouchers }: Goods): void {
  const linesMinor = sum(lines.map(({ lineTotalMinor }) => lineTotalMinor))
  const vouchersMinor = sum(giftVouchers.map(({ amountMinor }) => amountMinor))
  if (linesMinor + vouchersMinor > MAX_TOTAL_MINOR) throw CartErrors.totalTooLarge()
}
