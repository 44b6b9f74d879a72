import type { Order } from '#shared/orders/order.ts'
import type { OrderItem } from '#shared/orders/order-item.ts'
import type { RefundedUnits } from '#shared/orders/record-refund.ts'
import { proportion, smaller, sum, toMajor } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import { RefundErrors } from './errors.ts'

/** The parts of an order to refund: a sum, or units of lines and shipping. Amounts in minor units. */
export type RefundParts =
  | { amountMinor: bigint }
  | {
      items?: RefundedUnits[] | undefined
      shippingAmountMinor?: bigint | undefined
      /** The store keeps this part of the price of the units. */
      feeMinor?: bigint | undefined
    }

export interface RefundBreakdown {
  amountMinor: bigint
  shippingAmountMinor: bigint
  items: RefundedUnits[]
}

/** An order, its lines by position, and the sum of its refunds for shipping. */
export interface RefundableOrder {
  order: Order
  lines: OrderItem[]
  shippingRefundedMinor: bigint
}

/**
 * Calculates a refund. Throws 422 `refund.quantity_exceeded` and `refund.exceeds_paid`, and `validation.failed` for a
 * line of another order or a fee above the price of the units.
 */
export function calculateRefund(refunded: RefundableOrder, parts: RefundParts): RefundBreakdown {
  if ('amountMinor' in parts) return { amountMinor: parts.amountMinor, shippingAmountMinor: 0n, items: [] }
  const { items = [], shippingAmountMinor = 0n, feeMinor = 0n } = parts
  const shippingLeft = unrefundedShippingMinor(refunded)
  if (shippingAmountMinor > shippingLeft) throw exceedsPaid(refunded.order, shippingLeft)
  const unitsMinor = amountPaidForUnits(refunded, items)
  if (feeMinor > unitsMinor) throw invalid(['fee_amount'], 'More than was paid for the units')
  return { amountMinor: unitsMinor - feeMinor + shippingAmountMinor, shippingAmountMinor, items }
}

/** A refund of everything that is left of an order: its captured money, its units, its shipping. */
export function calculateRemainder(refunded: RefundableOrder): RefundBreakdown {
  const { order, lines } = refunded
  return {
    amountMinor: order.refundableMinor,
    shippingAmountMinor: smaller(unrefundedShippingMinor(refunded), order.refundableMinor),
    items: lines
      .map((line) => ({ orderItemId: line.id, quantity: line.quantity - line.refundedQuantity }))
      .filter(({ quantity }) => quantity > 0),
  }
}

/** The price of shipping, including tax, less what was refunded for it. */
const unrefundedShippingMinor = ({ order, shippingRefundedMinor }: RefundableOrder): bigint =>
  order.shippingMinor + order.shippingTaxMinor - shippingRefundedMinor

export const exceedsPaid = (order: Order, refundableMinor: bigint) =>
  RefundErrors.exceedsPaid({ refundable: `${toMajor(refundableMinor, order.currency)} ${order.currency}` })

function amountPaidForUnits({ lines }: RefundableOrder, items: RefundedUnits[]): bigint {
  return sum(
    items.map(({ orderItemId, quantity }, index) => {
      const line = lines.find(({ id }) => id === orderItemId)
      if (!line) throw invalid(['items', index, 'order_item_id'], 'This order has no such line', orderItemId)
      const left = line.quantity - line.refundedQuantity
      if (quantity > left) throw RefundErrors.quantityExceeded({ name: line.name, left })
      return amountOfUnits(amountPaidForLine(line), line, quantity)
    }),
  )
}

/** The price of an order line, less its part of the discount, plus its tax. */
export const amountPaidForLine = ({
  lineTotalMinor,
  discountMinor,
  taxMinor,
}: Pick<OrderItem, 'lineTotalMinor' | 'discountMinor' | 'taxMinor'>): bigint =>
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
