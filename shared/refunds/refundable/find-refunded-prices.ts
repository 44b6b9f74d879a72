import type { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'
import { isPaidBack, Refund, RefundItem } from '#shared/refunds/refund.ts'

/** The exact prices that the refunds of an order have paid back, in minor units. */
interface RefundedPrices {
  /** The price of the refunded units of each line, by the line's id. */
  byLine: Map<string, bigint>
  shippingMinor: bigint
}

/**
 * Sums the prices that the succeeded refunds of an order have paid back. The part that a bounced refund left on the
 * voucher counts for its goods, then for its shipping. A second refund of them is lower by that part.
 */
export async function findRefundedPrices(
  tx: StoreTx,
  orderId: string,
  lines: readonly OrderItem[],
): Promise<RefundedPrices> {
  const prices: RefundedPrices = { byLine: new Map(), shippingMinor: 0n }
  const refunds = await Refund.in(tx).where('order_id', orderId).where(isPaidBack)
  if (refunds.length === 0) return prices
  const ids = refunds.map(({ id }) => id)
  const items = Map.groupBy(await RefundItem.in(tx).whereIn('refund_id', ids), ({ refundId }) => refundId)
  for (const refund of refunds) {
    const own = items.get(refund.id) ?? []
    if (refund.status === 'succeeded') addPrices(prices, refund, own)
    else addKept(prices, refund, sortGoods(lines, own))
  }
  return prices
}

function addPrices(prices: RefundedPrices, { shippingAmountMinor }: Refund, items: readonly RefundItem[]) {
  for (const { orderItemId, amountMinor } of items) addToLine(prices, orderItemId, amountMinor)
  prices.shippingMinor += shippingAmountMinor
}

function addKept(prices: RefundedPrices, refund: Refund, goods: readonly RefundItem[]) {
  let restMinor = refund.keptMinor
  for (const { orderItemId, amountMinor } of goods) {
    const partMinor = smaller(restMinor, amountMinor)
    addToLine(prices, orderItemId, partMinor)
    restMinor -= partMinor
  }
  // The rest paid the prices of bought vouchers. The withdrawals of the vouchers count it.
  prices.shippingMinor += smaller(restMinor, refund.shippingAmountMinor)
}

const addToLine = ({ byLine }: RefundedPrices, lineId: string, amountMinor: bigint) =>
  byLine.set(lineId, (byLine.get(lineId) ?? 0n) + amountMinor)

/** Returns the items of goods, by the position of their lines. */
function sortGoods(lines: readonly OrderItem[], items: readonly RefundItem[]): RefundItem[] {
  const byLine = Map.groupBy(items, ({ orderItemId }) => orderItemId)
  return lines.filter(({ variantId }) => variantId).flatMap(({ id }) => byLine.get(id) ?? [])
}
