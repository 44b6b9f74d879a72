import type { OrderItem } from '../orders/order-item.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Voucher } from '../vouchers/voucher.ts'

/** The ids of those lines by which gift vouchers were bought: no goods, so nothing of them can come back. */
export async function findVoucherLines(
  tx: StoreTx,
  lines: readonly OrderItem[],
): Promise<ReadonlySet<string>> {
  const vouchers = await Voucher.in(tx).whereIn(
    'order_item_id',
    lines.map(({ id }) => id),
  )
  return new Set(vouchers.flatMap(({ orderItemId }) => orderItemId ?? []))
}
