import type { Order } from '#shared/orders/order.ts'
import type { OrderItem } from '#shared/orders/order-item.ts'
import { proportion, smaller, sum } from '#shared/platform/money.ts'
import type { PaidBackParts } from '#shared/refunds/refundable/find-paid-back.ts'

const HUNDRED_PERCENT = 10_000n

/** The goods of an order, without bought vouchers: those earn when they are spent. Minor units. */
export interface CommissionBase {
  /** Net of discounts and without tax. */
  netMinor: bigint
  /** The price that the buyer paid for them, with tax. */
  totalMinor: bigint
}

export function goodsOf(
  lines: readonly Pick<OrderItem, 'variantId' | 'totalMinor' | 'taxMinor'>[],
): CommissionBase {
  const goods = lines.filter(({ variantId }) => variantId)
  const totalMinor = sum(goods.map((line) => line.totalMinor))
  return { netMinor: totalMinor - sum(goods.map(({ taxMinor }) => taxMinor)), totalMinor }
}

/** The commission of goods at a percentage in hundredths, rounded half away from zero. */
export const commissionOf = ({ netMinor }: CommissionBase, percent: number): bigint =>
  proportion(netMinor, BigInt(percent), HUNDRED_PERCENT)

type PaidOrder = Pick<Order, 'amountCapturedMinor' | 'refundableMinor' | 'shippingTotalMinor'>

/**
 * The part of the price of goods that is refunded. A sum without units or shipping is for goods and shipping alike.
 * When all money is back, all goods are refunded, whatever was rounded or charged as a fee on the way.
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

/** The part of a commission that is reversed: in proportion to the refunded goods, wholly when all are refunded. */
export const reversedOf = (
  amountMinor: bigint,
  { totalMinor }: CommissionBase,
  refundedMinor: bigint,
): bigint => (totalMinor === 0n ? 0n : proportion(amountMinor, refundedMinor, totalMinor))
