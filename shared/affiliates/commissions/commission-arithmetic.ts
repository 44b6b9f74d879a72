import type { Order } from '#shared/orders/order.ts'
import type { OrderItem } from '#shared/orders/order-item.ts'
import { proportion, smaller, sum } from '#shared/platform/money.ts'
import type { PaidBackParts } from '#shared/refunds/refundable/find-paid-back.ts'

const HUNDRED_PERCENT = 10_000n

/** The price of an order's goods in minor units. Bought vouchers do not count: they earn when they are spent. */
export interface CommissionBase {
  /** After discounts, without tax. */
  netMinor: bigint
  /** The price that the buyer paid, with tax. */
  totalMinor: bigint
}

/** Returns the price of the goods among the lines of an order. */
export function goodsOf(
  lines: readonly Pick<OrderItem, 'variantId' | 'totalMinor' | 'taxMinor'>[],
): CommissionBase {
  const goods = lines.filter(({ variantId }) => variantId)
  const totalMinor = sum(goods.map((line) => line.totalMinor))
  return { netMinor: totalMinor - sum(goods.map(({ taxMinor }) => taxMinor)), totalMinor }
}

/** Returns the commission of goods at a rate in basis points, rounded half away from zero. */
export const commissionOf = ({ netMinor }: CommissionBase, basisPoints: number): bigint =>
  proportion(netMinor, BigInt(basisPoints), HUNDRED_PERCENT)

type PaidOrder = Pick<Order, 'amountCapturedMinor' | 'refundableMinor' | 'shippingTotalMinor'>

/**
 * Returns the refunded part of the price of goods. An amount without units or shipping counts for goods and shipping in
 * proportion. Once all money is refunded, all goods are, despite roundings and fees.
 */
export function refundedGoodsMinor(
  order: PaidOrder,
  { totalMinor }: CommissionBase,
  refunds: readonly PaidBackParts[],
): bigint {
  if (order.amountCapturedMinor > 0n && order.refundableMinor === 0n) return totalMinor
  const wholeMinor = totalMinor + order.shippingTotalMinor
  const unnamedMinor = sum(refunds.map((refund) => refund.unnamedMinor))
  const spreadMinor = wholeMinor === 0n ? 0n : proportion(unnamedMinor, totalMinor, wholeMinor)
  return smaller(totalMinor, sum(refunds.map(({ goodsMinor }) => goodsMinor)) + spreadMinor)
}

/** Returns the goods' share of an unpaid amount, which counts for goods, shipping and bought vouchers alike. */
export const unpaidGoodsMinor = (
  order: Pick<Order, 'totalMinor'>,
  { totalMinor }: CommissionBase,
  unpaidMinor: bigint,
): bigint => (order.totalMinor === 0n ? 0n : proportion(unpaidMinor, totalMinor, order.totalMinor))

/** Returns the part of a commission to reverse, in proportion to the refunded goods: all of it if all are refunded. */
export const reversedOf = (
  amountMinor: bigint,
  { totalMinor }: CommissionBase,
  refundedMinor: bigint,
): bigint => (totalMinor === 0n ? 0n : proportion(amountMinor, refundedMinor, totalMinor))
