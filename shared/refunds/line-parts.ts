import { proportion } from '../platform/money.ts'

/** A line of an order: its price before the order's discount and tax, and how many units went back before. */
export interface LineForRefund {
  lineTotalMinor: bigint
  quantity: number
  refundedQuantity: number
}

/**
 * What was really paid for each line: the order's goods, less its discount and with its tax, shared out by the lines'
 * prices. The parts sum to `goodsMinor` exactly.
 */
export function paidByLine(goodsMinor: bigint, lines: readonly LineForRefund[]): bigint[] {
  const priced = lines.reduce((total, line) => total + line.lineTotalMinor, 0n)
  if (priced === 0n) return lines.map(() => 0n)
  let pricedSoFar = 0n
  return lines.map(({ lineTotalMinor }) => {
    const before = proportion(goodsMinor, pricedSoFar, priced)
    pricedSoFar += lineTotalMinor
    return proportion(goodsMinor, pricedSoFar, priced) - before
  })
}

/**
 * What the next `count` units of a line bring back of the `paidMinor` it cost: all its units, refunded in whatever
 * pieces, bring back exactly that.
 */
export function partOfLine(paidMinor: bigint, line: LineForRefund, count: number): bigint {
  const upTo = (units: number) => proportion(paidMinor, BigInt(units), BigInt(line.quantity))
  return upTo(line.refundedQuantity + count) - upTo(line.refundedQuantity)
}
