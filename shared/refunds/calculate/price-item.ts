import type { LineUnits, OrderItem } from '#shared/orders/order-item.ts'
import { invalid } from '#shared/platform/validation.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { amountOfUnits } from './amount-of-units.ts'
import { type RefundableOrder, unitsLeft } from './refundable-order.ts'

/** Units of a line and their exact price, in minor units. */
export interface PricedUnits extends LineUnits {
  amountMinor: bigint
}

/** Returns the next `quantity` units of a line with their price. */
export const priceUnits = (
  { refundedPrices }: RefundableOrder,
  line: OrderItem,
  quantity: number,
): PricedUnits => ({
  orderItemId: line.id,
  quantity,
  amountMinor: amountOfUnits(line, refundedPrices.get(line.id) ?? 0n, quantity),
})

/** Requested units of a line with their refund in minor units. */
export interface PricedItem {
  item: LineUnits
  amountMinor: bigint
  isVoucher: boolean
  /** Whether the whole price of the units is refunded. */
  isWhole: boolean
}

/**
 * Returns the refund of requested units: of goods their price, of a voucher the unspent part of its price. `override`
 * includes spent vouchers and replaced units. Throws `refund.quantity_exceeded`, and `validation.failed` for a line of
 * another order.
 */
export function priceItem(
  refundable: RefundableOrder,
  item: LineUnits,
  { index, override }: { index: number; override: boolean },
): PricedItem {
  const { lines, vouchers } = refundable
  const line = lines.find(({ id }) => id === item.orderItemId)
  if (!line)
    throw invalid(
      ['items', index, 'order_item_id'],
      'This order has no such line. Use the id of one of its items',
      item.orderItemId,
    )
  assertUnitsLeft(refundable, line, { quantity: item.quantity, override })
  const voucher = vouchers.find(({ orderItemId }) => orderItemId === line.id)
  if (!voucher) {
    const { amountMinor } = priceUnits(refundable, line, item.quantity)
    return { item, amountMinor, isVoucher: false, isWhole: true }
  }
  const { unwithdrawnMinor, unspentMinor } = voucher
  if (unwithdrawnMinor === 0n) throw RefundErrors.quantityExceeded({ name: line.name, left: 0 })
  const amountMinor = override ? unwithdrawnMinor : unspentMinor
  return { item, amountMinor, isVoucher: true, isWhole: amountMinor === unwithdrawnMinor }
}

function assertUnitsLeft(
  refundable: RefundableOrder,
  line: OrderItem,
  { quantity, override }: { quantity: number; override: boolean },
): void {
  const left = override ? line.quantity - line.refundedQuantity : unitsLeft(refundable, line)
  if (quantity <= left) return
  const replaced = override ? 0 : (refundable.replaced.get(line.id) ?? 0)
  throw RefundErrors.quantityExceeded({ name: line.name, left, replaced })
}
