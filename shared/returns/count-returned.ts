import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CALLED_OFF } from './states.ts'

/** Units on an order's returns that were not called off, by the id of its line. */
type ReturnedUnits = ReadonlyMap<string, number>

/**
 * Counts what of an order is on its returns. Whoever decides by the count has locked the order. `exceptReturnId` is
 * the return that is being changed.
 */
export async function countReturned(
  tx: StoreTx,
  orderId: string,
  exceptReturnId: string | null = null,
): Promise<ReturnedUnits> {
  const query = tx
    .knex('return_items as i')
    .join('returns as r', (on) => on.on('r.store_id', 'i.store_id').on('r.id', 'i.return_id'))
    .where({ 'r.store_id': tx.storeId, 'r.order_id': orderId })
    .whereNotIn('r.status', [...CALLED_OFF])
    .groupBy('i.order_item_id')
    .select('i.order_item_id as orderItemId')
    .sum('i.quantity as units')
  if (exceptReturnId) query.whereNot('r.id', exceptReturnId)
  const rows = await query
  return new Map(rows.map(({ orderItemId, units }) => [orderItemId, Number(units)]))
}
