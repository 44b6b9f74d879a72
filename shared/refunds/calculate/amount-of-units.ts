import type { OrderItem } from '#shared/orders/order-item.ts'
import { larger, proportion } from '#shared/platform/money.ts'

type PaidLine = Pick<OrderItem, 'totalMinor' | 'quantity'>

/** The part of the total of a line that is for this many of its units, in minor units. */
const partOf = ({ totalMinor, quantity }: PaidLine, units: number): bigint =>
  proportion(totalMinor, BigInt(units), BigInt(quantity))

/**
 * The part of the total of a line that the next `quantity` units are refunded with, in minor units. `refundedMinor` is
 * the part that its refunded units were refunded with. The parts of all units add up to the total, however the units
 * are grouped, and also after a refund of some has failed.
 */
export const amountOfUnits = (
  line: PaidLine & Pick<OrderItem, 'refundedQuantity'>,
  refundedMinor: bigint,
  quantity: number,
): bigint => larger(0n, partOf(line, line.refundedQuantity + quantity) - refundedMinor)

/** The part of a line's price that its last `quantity` units are refunded with: the rest is for the units before. */
export const amountOfLastUnits = (line: PaidLine, units: number): bigint =>
  line.totalMinor - partOf(line, line.quantity - units)
