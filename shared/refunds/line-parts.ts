import type { OrderItem } from '#shared/orders/order-item.ts'
import { proportion } from '#shared/platform/money.ts'

/** What a line of an order really cost: its price, less its part of the discount and with its own tax. */
export const paidForLine = ({
  lineTotalMinor,
  discountMinor,
  taxMinor,
}: Pick<OrderItem, 'lineTotalMinor' | 'discountMinor' | 'taxMinor'>): bigint =>
  lineTotalMinor - discountMinor + taxMinor

/**
 * What the next `count` units of a line bring back of the `paidMinor` it cost: all its units, refunded in whatever
 * pieces, bring back exactly that.
 */
export function partOfLine(
  paidMinor: bigint,
  line: Pick<OrderItem, 'quantity' | 'refundedQuantity'>,
  count: number,
): bigint {
  const upTo = (units: number) => proportion(paidMinor, BigInt(units), BigInt(line.quantity))
  return upTo(line.refundedQuantity + count) - upTo(line.refundedQuantity)
}
