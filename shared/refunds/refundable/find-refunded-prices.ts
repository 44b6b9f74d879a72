import type { OrderItem } from '#shared/orders/order-item.ts'
import { readInPieces } from '#shared/platform/db/read-in-pieces.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller, sum } from '#shared/platform/money.ts'
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
  const refunds = await Refund.in(tx).where('order_id', orderId).where(isPaidBack)
  if (refunds.length === 0) return { byLine: new Map(), shippingMinor: 0n }
  const succeeded = refunds.filter(({ status }) => status === 'succeeded')
  const bounced = refunds.filter(({ status }) => status !== 'succeeded')
  const prices: RefundedPrices = {
    byLine: await sumPrices(tx, idsOf(succeeded)),
    shippingMinor: sum(succeeded.map(({ shippingAmountMinor }) => shippingAmountMinor)),
  }
  const kept = await readInPieces(RefundItem.in(tx).whereIn('refund_id', idsOf(bounced)), [
    'refundId',
    'orderItemId',
  ])
  const items = Map.groupBy(kept, ({ refundId }) => refundId)
  for (const refund of bounced) addKept(prices, refund, sortGoods(lines, items.get(refund.id) ?? []))
  return prices
}

const idsOf = (refunds: readonly Refund[]): string[] => refunds.map(({ id }) => id)

/** Sums the prices of refunds by line. PostgreSQL adds them: 500 refunds of 100 lines would block the process. */
async function sumPrices(tx: StoreTx, refundIds: readonly string[]): Promise<Map<string, bigint>> {
  const rows: { lineId: string; price: string }[] = await tx
    .knex('refund_items')
    .where('store_id', tx.storeId)
    .whereIn('refund_id', [...refundIds])
    .groupBy('order_item_id')
    .select('order_item_id as lineId')
    .sum('amount_minor as price')
  return new Map(rows.map(({ lineId, price }) => [lineId, BigInt(price)]))
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
