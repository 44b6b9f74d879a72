import type { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'
import { isPaidBack, Refund, RefundItem } from '../refund.ts'

/** The exact prices that the refunds of an order have paid back, in minor units. */
interface RefundedPrices {
  /** Of the refunded units of each line, by its id. */
  byLine: Map<string, bigint>
  shippingMinor: bigint
}

/**
 * Sums the prices that the succeeded refunds of an order have paid back. What a bounced refund has left on the voucher
 * has paid for its goods, then for its shipping: those prices are lower by that when they are refunded again.
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
  const items = await RefundItem.in(tx).whereIn('refund_id', ids)
  for (const refund of refunds) {
    const own = items.filter(({ refundId }) => refundId === refund.id)
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
  // The rest has paid prices of bought vouchers, which their withdrawals count.
  prices.shippingMinor += smaller(restMinor, refund.shippingAmountMinor)
}

const addToLine = ({ byLine }: RefundedPrices, lineId: string, amountMinor: bigint) =>
  byLine.set(lineId, (byLine.get(lineId) ?? 0n) + amountMinor)

/** The items of goods, by the position of their lines. */
const sortGoods = (lines: readonly OrderItem[], items: readonly RefundItem[]): RefundItem[] =>
  lines
    .filter(({ variantId }) => variantId)
    .flatMap(({ id }) => items.filter(({ orderItemId }) => orderItemId === id))
