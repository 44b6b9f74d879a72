import type { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { RefundedUnits } from '#shared/orders/record-refund.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller, sum } from '#shared/platform/money.ts'
import { type BoughtVoucher, findBought, withdraw } from '#shared/vouchers/withdraw-bought.ts'
import type { Refund } from './refund.ts'

/**
 * Takes off the vouchers that were bought with an order, which the caller has locked, what a refund gives back of their
 * prices: of the lines that it names all, and else as much as it exceeds what was paid for everything but vouchers.
 */
export async function withdrawVouchers(
  tx: StoreTx,
  order: Order,
  refund: Refund,
  items: readonly RefundedUnits[],
): Promise<void> {
  const lines = await OrderItem.in(tx).where('order_id', order.id).whereNull('variant_id')
  const bought = await findBought(tx, new Map(lines.map(({ id, lineTotalMinor }) => [id, lineTotalMinor])))
  const named = new Set(items.map(({ orderItemId }) => orderItemId))
  for (const { voucher, priceMinor } of sharesOf(bought, named, owedMinor(order, refund, bought)))
    await withdraw(tx, voucher, { refundId: refund.id, priceMinor, actor: refund.requestedBy })
}

/** What must have gone back of vouchers' prices with this refund: what is not for anything else. */
function owedMinor(order: Order, refund: Refund, bought: readonly BoughtVoucher[]): bigint {
  const pricesMinor = sum(bought.map(({ leftMinor, withdrawnMinor }) => leftMinor + withdrawnMinor))
  const goodsMinor = order.amountCapturedMinor - pricesMinor
  return order.amountRefundedMinor + refund.amountMinor - goodsMinor
}

interface Share {
  voucher: BoughtVoucher
  priceMinor: bigint
}

/** How much of each voucher's price goes back. */
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
