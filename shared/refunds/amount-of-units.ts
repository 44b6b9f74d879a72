import type { OrderItem } from '#shared/orders/order-item.ts'
import { proportion } from '#shared/platform/money.ts'

type PaidLine = Pick<OrderItem, 'totalMinor' | 'quantity'>

/**
 * The part of the total of a line that the next `quantity` units are refunded with, in minor units. The parts of all
 * units add up to the total, however the units are grouped.
 */
export function amountOfUnits(
  line: PaidLine & Pick<OrderItem, 'refundedQuantity'>,
  quantity: number,
): bigint {
  const upTo = (units: number) => proportion(line.totalMinor, BigInt(units), BigInt(line.quantity))
  return upTo(line.refundedQuantity + quantity) - upTo(line.refundedQuantity)
}

/** The part of a line's price that its last `quantity` units are refunded with: the rest is for the units before. */
export const amountOfLastUnits = ({ totalMinor, quantity }: PaidLine, units: number): bigint =>
  amountOfUnits({ totalMinor, quantity, refundedQuantity: quantity - units }, units)
