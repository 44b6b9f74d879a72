import type { LineUnits, OrderItem } from '#shared/orders/order-item.ts'
import { formatMinor, smaller, sum } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { amountOfUnits } from './amount-of-units.ts'
import { voucherSpent } from './refund-limit.ts'
import type { RefundableOrder } from './refundable-order.ts'

/** The parts of an order to refund: an amount, or units of lines and shipping. Amounts are in minor units. */
export type RefundParts =
  | { amountMinor: bigint }
  | {
      items?: LineUnits[] | undefined
      shippingAmountMinor?: bigint | undefined
      /** The store keeps this part of the price of the units. */
      feeMinor?: bigint | undefined
    }

/** Units of a line and their exact price, in minor units. */
export interface PricedUnits extends LineUnits {
  amountMinor: bigint
}

/** The part of a bought voucher's price that a refund pays, in minor units. */
export interface VoucherPrice {
  orderItemId: string
  priceMinor: bigint
}

export interface RefundBreakdown {
  amountMinor: bigint
  /** Whether the amount is not rounded: staff chose it, or it is all that is left. Otherwise it is a sum of prices. */
  isFixed: boolean
  shippingAmountMinor: bigint
  /** The refunded units. A voucher is among them if its whole price is refunded. */
  items: PricedUnits[]
  voucherPrices: VoucherPrice[]
}

/**
 * Calculates a refund. Of a bought voucher it refunds the unspent part. With `override` it refunds the whole price of
 * the voucher, and also replaced units. Throws 422: `refund.quantity_exceeded`, `refund.exceeds_paid`,
 * `refund.voucher_spent`, and `validation.failed` for a line of another order or a fee above the price of the units.
 */
export function calculateRefund(
  refundable: RefundableOrder,
  parts: RefundParts,
  { override }: { override: boolean },
): RefundBreakdown {
  if ('amountMinor' in parts)
    return {
      amountMinor: parts.amountMinor,
      isFixed: true,
      shippingAmountMinor: 0n,
      items: [],
      voucherPrices: [],
    }
  const { items = [], shippingAmountMinor = 0n, feeMinor = 0n } = parts
  const shippingLeft = unrefundedShippingMinor(refundable)
  if (shippingAmountMinor > shippingLeft) throw exceedsPaid(refundable, shippingLeft)
  const priced = items.map((item, index) => priceOf(refundable, item, { index, override }))
  const unitsMinor = sum(priced.map(({ amountMinor }) => amountMinor))
  if (feeMinor > unitsMinor) throw invalid(['fee_amount'], 'Keep at most the price of the units')
  const vouchers = priced.filter(({ isVoucher }) => isVoucher)
  const amountMinor = unitsMinor - feeMinor + shippingAmountMinor
  if (amountMinor === 0n && vouchers.length) throw voucherSpent(refundable)
  return {
    amountMinor,
    isFixed: false,
    shippingAmountMinor,
    items: priced.filter(({ isWhole }) => isWhole).map(({ item, amountMinor }) => ({ ...item, amountMinor })),
    voucherPrices: vouchers.map(({ item, amountMinor: priceMinor }) => ({
      orderItemId: item.orderItemId,
      priceMinor,
    })),
  }
}

/** Returns the refund of everything that is left of an order: captured money, units and shipping. */
export function calculateRemainder(refundable: RefundableOrder): RefundBreakdown {
  const { order, lines } = refundable
  return {
    amountMinor: order.refundableMinor,
    isFixed: true,
    shippingAmountMinor: smaller(unrefundedShippingMinor(refundable), order.refundableMinor),
    items: lines
      .map((line) => pricedUnits(refundable, line, unitsLeft(refundable, line)))
      .filter(({ quantity }) => quantity > 0),
    voucherPrices: [],
  }
}

const pricedUnits = (
  { refundedPrices }: RefundableOrder,
  line: OrderItem,
  quantity: number,
): PricedUnits => ({
  orderItemId: line.id,
  quantity,
  amountMinor: amountOfUnits(line, refundedPrices.get(line.id) ?? 0n, quantity),
})

/** Returns how many units of a line are neither refunded nor replaced. */
export const unitsLeft = (
  { replaced }: Pick<RefundableOrder, 'replaced'>,
  { id, quantity, refundedQuantity }: OrderItem,
): number => Math.max(0, quantity - refundedQuantity - (replaced.get(id) ?? 0))

/** Returns the price of shipping, including tax, less what was refunded for it. */
const unrefundedShippingMinor = ({ order, shippingRefundedMinor }: RefundableOrder): bigint =>
  order.shippingTotalMinor - shippingRefundedMinor

/** Returns the error of a refund above the refundable amount. */
export const exceedsPaid = ({ order }: Pick<RefundableOrder, 'order'>, refundableMinor: bigint) =>
  RefundErrors.exceedsPaid({ refundable: formatMinor(refundableMinor, order.currency) })

interface PricedItem {
  item: LineUnits
  amountMinor: bigint
  isVoucher: boolean
  /** Whether the whole price of the units is refunded. */
  isWhole: boolean
}

function priceOf(
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
  const voucher = vouchers.find(({ orderItemId }) => orderItemId === line.id)
  assertLeft(refundable, line, { quantity: item.quantity, override })
  if (!voucher) {
    const { amountMinor } = pricedUnits(refundable, line, item.quantity)
    return { item, amountMinor, isVoucher: false, isWhole: true }
  }
  const { unwithdrawnMinor, unspentMinor } = voucher
  if (unwithdrawnMinor === 0n) throw RefundErrors.quantityExceeded({ name: line.name, left: 0 })
  const amountMinor = override ? unwithdrawnMinor : unspentMinor
  return { item, amountMinor, isVoucher: true, isWhole: amountMinor === unwithdrawnMinor }
}

function assertLeft(
  refundable: RefundableOrder,
  line: OrderItem,
  { quantity, override }: { quantity: number; override: boolean },
): void {
  const left = override ? line.quantity - line.refundedQuantity : unitsLeft(refundable, line)
  if (quantity <= left) return
  const replaced = override ? 0 : (refundable.replaced.get(line.id) ?? 0)
  throw RefundErrors.quantityExceeded({ name: line.name, left, replaced })
}
