import type { Order } from '#shared/orders/order.ts'
import type { LineUnits, OrderItem } from '#shared/orders/order-item.ts'
import type { ReplacedUnits } from '#shared/orders/replacements/count-replaced-units.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import type { BoughtVoucher } from '#shared/vouchers/redemptions/bought-voucher.ts'

/** An order with everything that limits its refunds. Amounts are in minor units. */
export interface RefundableOrder {
  order: Order
  /** The lines by position. */
  lines: OrderItem[]
  /** The units that replacement orders send again. */
  replaced: ReplacedUnits
  /** The vouchers that the order bought. The transaction has locked them. */
  vouchers: BoughtVoucher[]
  /** The exact price of the refunded units of each line, by the line's id. */
  refundedPrices: ReadonlyMap<string, bigint>
  /** The refunded part of shipping. */
  shippingRefundedMinor: bigint
  /** The refunds in progress that pay the order, and not only a surplus of its payments. */
  inProgress: Refund[]
  /** The sum of their parts beyond surpluses. */
  inProgressMinor: bigint
  /** The units of the refunds in progress, by the line's id. */
  unitsInProgress: ReadonlyMap<string, number>
}

/** Returns an order with one more refund in progress, which returns no surplus. */
export function addRefundInProgress<T extends RefundableOrder>(
  refundable: T,
  refund: Refund,
  items: readonly LineUnits[],
): T {
  const unitsInProgress = new Map(refundable.unitsInProgress)
  for (const { orderItemId, quantity } of items)
    unitsInProgress.set(orderItemId, (unitsInProgress.get(orderItemId) ?? 0) + quantity)
  return {
    ...refundable,
    inProgress: [...refundable.inProgress, refund],
    inProgressMinor: refundable.inProgressMinor + refund.amountMinor,
    unitsInProgress,
  }
}

/**
 * Returns the captured money of an order that is neither refunded nor being refunded. It is below 0 if the gateway pays
 * back more.
 */
export const availableMinor = ({ order, inProgressMinor }: RefundableOrder): bigint =>
  order.refundableMinor - inProgressMinor

/** Returns how many units of a line are neither refunded nor replaced. */
export const unitsLeft = (
  { replaced }: Pick<RefundableOrder, 'replaced'>,
  { id, quantity, refundedQuantity }: OrderItem,
): number => Math.max(0, quantity - refundedQuantity - (replaced.get(id) ?? 0))

/** Returns the price of shipping, including tax, less what was refunded for it. */
export const unrefundedShippingMinor = ({ order, shippingRefundedMinor }: RefundableOrder): bigint =>
  order.shippingTotalMinor - shippingRefundedMinor
