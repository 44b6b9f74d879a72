import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

const COUNT_REPLACED_UNITS: Statement = {
  name: 'count_replaced_units',
  text: `
  select line.id as "orderItemId", sum(replacement.quantity)::integer as units
  from order_items line
  join order_items replacement on replacement.store_id = line.store_id and replacement.replaces_item_id = line.id
  join orders on orders.store_id = replacement.store_id and orders.id = replacement.order_id
  where line.store_id = ${CURRENT_STORE} and line.order_id = $1::uuid and orders.status <> 'canceled'
  group by line.id`,
}

/** The units of an order that replacement orders send again, by the id of their line. */
export type ReplacedUnits = ReadonlyMap<string, number>

/**
 * Counts the units of an order that replacement orders send again. Canceled replacements do not count. Lock the order
 * before you decide by the count.
 */
export async function countReplacedUnits(tx: StoreTx, orderId: string): Promise<ReplacedUnits> {
  const rows = await tx.prepared<{ orderItemId: string; units: number }>(COUNT_REPLACED_UNITS, [orderId])
  return new Map(rows.map(({ orderItemId, units }) => [orderItemId, units]))
}
