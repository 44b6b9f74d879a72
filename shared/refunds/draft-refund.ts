import type { Order } from '#shared/orders/order.ts'
import type { OrderItem } from '#shared/orders/order-item.ts'
import type { RefundedUnits } from '#shared/orders/record-refund.ts'
import { smaller, sum, toMajor } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import { RefundErrors } from './errors.ts'
import { paidForLine, partOfLine } from './line-parts.ts'

/** What is asked for: a sum, or units of lines and money for shipping. Amounts in minor units. */
export type Asked =
  | { amountMinor: bigint }
  | {
      items?: RefundedUnits[] | undefined
      shippingAmountMinor?: bigint | undefined
      /** What the store keeps of what was paid for the units. */
      feeMinor?: bigint | undefined
    }

/** What a refund pays back, and for what. */
export interface RefundDraft {
  amountMinor: bigint
  shippingAmountMinor: bigint
  items: RefundedUnits[]
}

/** An order with its lines, by position, and what its refunds have paid for shipping. */
export interface OrderForRefund {
  order: Order
  lines: OrderItem[]
  shippingRefundedMinor: bigint
}

/**
 * Works out a refund. Throws 422 `refund.quantity_exceeded` and `refund.exceeds_paid`, and `validation.failed` for a
 * line that is not the order's, or a fee past what its units cost.
 */
export function draftRefund(refunded: OrderForRefund, asked: Asked): RefundDraft {
  if ('amountMinor' in asked) return { amountMinor: asked.amountMinor, shippingAmountMinor: 0n, items: [] }
  const { items = [], shippingAmountMinor = 0n, feeMinor = 0n } = asked
  const shippingLeft = shippingLeftOf(refunded)
  if (shippingAmountMinor > shippingLeft) throw exceeds(refunded.order, shippingLeft)
  const unitsMinor = paidForUnits(refunded, items)
  if (feeMinor > unitsMinor) throw invalid(['fee_amount'], 'More than was paid for the units')
  return { amountMinor: unitsMinor - feeMinor + shippingAmountMinor, shippingAmountMinor, items }
}

/** All that is left of an order: its captured money, its units, its shipping. */
export function draftRemainder(refunded: OrderForRefund): RefundDraft {
  const { order, lines } = refunded
  return {
    amountMinor: order.refundableMinor,
    shippingAmountMinor: smaller(shippingLeftOf(refunded), order.refundableMinor),
    items: lines
      .map((line) => ({ orderItemId: line.id, quantity: line.quantity - line.refundedQuantity }))
      .filter(({ quantity }) => quantity > 0),
  }
}

/** What was paid for shipping, its tax included, and has not gone back. */
const shippingLeftOf = ({ order, shippingRefundedMinor }: OrderForRefund): bigint =>
  order.shippingMinor + order.shippingTaxMinor - shippingRefundedMinor

export const exceeds = (order: Order, refundableMinor: bigint) =>
  RefundErrors.exceedsPaid({ refundable: `${toMajor(refundableMinor, order.currency)} ${order.currency}` })

function paidForUnits({ lines }: OrderForRefund, items: RefundedUnits[]): bigint {
  return sum(
    items.map(({ orderItemId, quantity }, index) => {
      const line = lines.find(({ id }) => id === orderItemId)
      if (!line) throw invalid(['items', index, 'order_item_id'], 'This order has no such line', orderItemId)
      const left = line.quantity - line.refundedQuantity
      if (quantity > left) throw RefundErrors.quantityExceeded({ name: line.name, left })
      return partOfLine(paidForLine(line), line, quantity)
    }),
  )
}
