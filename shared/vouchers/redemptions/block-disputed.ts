import { nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'

/**
 * Selects the vouchers of an order to block. `bought`: those that it bought. `issued`: those that were issued for it,
 * e.g. as credit.
 */
interface Blocked {
  bought: boolean
  issued: boolean
}

/**
 * Blocks vouchers of a disputed order, and makes its others spendable again. The caller has locked the order. While a
 * dispute is open, their value could be spent and lost with the disputed money.
 */
export async function blockDisputed(
  tx: StoreTx,
  orderId: string,
  { bought, issued }: Blocked,
): Promise<void> {
  const setDisputed = (isDisputed: boolean) =>
    Voucher.in(tx)
      .where({ order_id: orderId, is_disputed: !isDisputed })
      .patch({ isDisputed, updatedAt: nextUpdatedAtSql() })
  await setDisputed(bought).whereNotNull('order_item_id')
  await setDisputed(issued).whereNull('order_item_id')
}
