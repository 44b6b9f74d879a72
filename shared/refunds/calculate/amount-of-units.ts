import type { OrderItem } from '#shared/orders/order-item.ts'
import { larger, proportion } from '#shared/platform/money.ts'

type PaidLine = Pick<OrderItem, 'totalMinor' | 'quantity'>

/** Returns the share of a line's total for this many units, in minor units. */
const partOf = ({ totalMinor, quantity }: PaidLine, units: number): bigint =>
  proportion(totalMinor, BigInt(units), BigInt(quantity))

/**
 * Returns the amount, in minor units, that the next `quantity` units of a line are refunded with. `refundedMinor` is
 * the amount that was refunded for earlier units. The amounts of all units add up to the line's total, however the
 * units are grouped, and even after a refund has failed.
 */
export const amountOfUnits = (
  line: PaidLine & Pick<OrderItem, 'refundedQuantity'>,
  refundedMinor: bigint,
  quantity: number,
): bigint => larger(0n, partOf(line, line.refundedQuantity + quantity) - refundedMinor)

/** Returns the amount, in minor units, that the last `units` units of a line are refunded with. */
export const amountOfLastUnits = (line: PaidLine, units: number): bigint =>
  line.totalMinor - partOf(line, line.quantity - units)
