import { nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'

/** Which vouchers of an order are held: those that it bought, and those that were issued for it, e.g. as credit. */
interface Held {
  bought: boolean
  issued: boolean
}

/**
 * Holds vouchers of an order, which the caller has locked: while a dispute is open, their value could be spent and lost
 * with the disputed money. The others can be spent again.
 */
export async function holdDisputed(tx: StoreTx, orderId: string, { bought, issued }: Held): Promise<void> {
  const changing = (isDisputed: boolean) =>
    Voucher.in(tx)
      .where({ order_id: orderId, is_disputed: !isDisputed })
      .patch({ isDisputed, updatedAt: nextUpdatedAtSql() as never })
  await changing(bought).whereNotNull('order_item_id')
  await changing(issued).whereNull('order_item_id')
}
