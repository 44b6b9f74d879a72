import { sum } from '../platform/money.ts'

/** A line as arithmetic sees it: minor units, whole units. */
export interface PricedLine {
  unitPriceMinor: bigint
  quantity: number
}

/** Amounts in minor units. `total = subtotal − discount + shipping + tax`, always. */
export interface Totals {
  subtotalMinor: bigint
  discountMinor: bigint
  shippingMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
}

export const lineTotal = ({ unitPriceMinor, quantity }: PricedLine): bigint =>
  unitPriceMinor * BigInt(quantity)

/** What lines cost together. A discount never exceeds the subtotal (interface document, section 8). */
export function totalsOf(
  lines: PricedLine[],
  { discountMinor = 0n, shippingMinor = 0n, taxMinor = 0n } = {},
): Totals {
  const subtotalMinor = sum(lines.map(lineTotal))
  const discount = discountMinor < subtotalMinor ? discountMinor : subtotalMinor
  return {
    subtotalMinor,
    discountMinor: discount,
    shippingMinor,
    taxMinor,
    totalMinor: subtotalMinor - discount + shippingMinor + taxMinor,
  }
}
