import type { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { RefundedUnits } from '#shared/orders/record-refund.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller, sum } from '#shared/platform/money.ts'
import { type BoughtVoucher, findBoughtVouchers, withdrawPrice } from '#shared/vouchers/withdraw-price.ts'
import type { Refund } from './refund.ts'

/**
 * Withdraws value from the vouchers that were bought with an order, which the caller has locked, when a refund includes
 * their prices: the whole price of lines that the refund names; otherwise what the refund exceeds the price of the goods.
 */
export async function withdrawVouchers(
  tx: StoreTx,
  order: Order,
  refund: Refund,
  items: readonly RefundedUnits[],
): Promise<void> {
  const lines = await OrderItem.in(tx).where('order_id', order.id).whereNull('variant_id')
  const bought = await findBoughtVouchers(
    tx,
    new Map(lines.map(({ id, lineTotalMinor }) => [id, lineTotalMinor])),
  )
  const named = new Set(items.map(({ orderItemId }) => orderItemId))
  for (const { voucher, priceMinor } of sharesOf(bought, named, owedMinor(order, refund, bought)))
    await withdrawPrice(tx, voucher, { refundId: refund.id, priceMinor, actor: refund.requestedBy })
}

/** The sum of vouchers' prices that all refunds, this one included, pay back: what exceeds the price of the goods. */
function owedMinor(order: Order, refund: Refund, bought: readonly BoughtVoucher[]): bigint {
  const pricesMinor = sum(bought.map(({ leftMinor, withdrawnMinor }) => leftMinor + withdrawnMinor))
  const goodsMinor = order.amountCapturedMinor - pricesMinor
  return order.amountRefundedMinor + refund.amountMinor - goodsMinor
}

interface Share {
  voucher: BoughtVoucher
  priceMinor: bigint
}

/** The part of each voucher's price that is refunded. */
function sharesOf(bought: readonly BoughtVoucher[], named: ReadonlySet<string>, owedMinor: bigint): Share[] {
  const isNamed = ({ orderItemId }: BoughtVoucher) => named.has(orderItemId)
  const shares: Share[] = bought
    .filter(isNamed)
    .map((voucher) => ({ voucher, priceMinor: voucher.leftMinor }))
  let restMinor =
    owedMinor - sum(bought.map(({ withdrawnMinor }) => withdrawnMinor)) - sum(shares.map((s) => s.priceMinor))
  for (const voucher of bought.filter((one) => !isNamed(one))) {
    if (restMinor <= 0n) break
    const priceMinor = smaller(restMinor, voucher.leftMinor)
    restMinor -= priceMinor
    shares.push({ voucher, priceMinor })
  }
  return shares.filter(({ priceMinor }) => priceMinor > 0n)
}
