import { isNotCanceledSql } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Counts the units of a locked order that were sent anew for its returns and not canceled, by the id of its line. */
export async function countReplaced(tx: StoreTx, orderId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .knex('return_items as i')
    .join('returns as r', (on) => on.on('r.store_id', 'i.store_id').on('r.id', 'i.return_id'))
    .where({ 'r.store_id': tx.storeId, 'r.order_id': orderId })
    .whereNot('i.disposition', 'missing')
    .whereRaw(isNotCanceledSql('r.store_id', 'r.replacement_order_id'))
    .groupBy('i.order_item_id')
    .select('i.order_item_id as orderItemId')
    .sum('i.quantity as units')
  return new Map(rows.map(({ orderItemId, units }) => [orderItemId, Number(units)]))
}
