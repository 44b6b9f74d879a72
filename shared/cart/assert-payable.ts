import { sum } from '../platform/money.ts'
import { CartErrors } from './errors.ts'
import { LARGEST_TOTAL_MINOR } from './limits.ts'

/** Refuses lines that come to more than an order can hold: `cart.total_too_large`. */
export function assertPayable(lines: readonly { lineTotalMinor: bigint }[]): void {
  if (sum(lines.map((line) => line.lineTotalMinor)) > LARGEST_TOTAL_MINOR) throw CartErrors.totalTooLarge()
}
