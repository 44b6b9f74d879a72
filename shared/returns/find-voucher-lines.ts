import type { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'

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
