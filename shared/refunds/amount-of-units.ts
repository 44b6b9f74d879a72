import type { OrderItem } from '#shared/orders/order-item.ts'
import { proportion } from '#shared/platform/money.ts'

type PaidLine = Pick<OrderItem, 'lineTotalMinor' | 'discountMinor' | 'taxMinor'>

/** The price of an order line, less its part of the discount, plus its tax. Minor units. */
export const amountPaidForLine = ({ lineTotalMinor, discountMinor, taxMinor }: PaidLine): bigint =>
  lineTotalMinor - discountMinor + taxMinor

/**
 * The part of `paidMinor`, the price of a line, that the next `quantity` units are refunded with. The parts of all units
 * add up to `paidMinor`, however the units are grouped.
 */
export function amountOfUnits(
  paidMinor: bigint,
  line: Pick<OrderItem, 'quantity' | 'refundedQuantity'>,
  quantity: number,
): bigint {
  const upTo = (units: number) => proportion(paidMinor, BigInt(units), BigInt(line.quantity))
  return upTo(line.refundedQuantity + quantity) - upTo(line.refundedQuantity)
}

/** The part of a line's price that its last `quantity` units are refunded with: the rest is for the units before. */
export const amountOfLastUnits = (line: PaidLine & Pick<OrderItem, 'quantity'>, quantity: number): bigint =>
  amountOfUnits(
    amountPaidForLine(line),
    { quantity: line.quantity, refundedQuantity: line.quantity - quantity },
    quantity,
  )
