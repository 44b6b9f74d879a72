import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

const COUNT_REPLACED_UNITS: Statement = {
  name: 'count_replaced_units',
  text: `
  select i.id as "orderItemId", sum(r.quantity)::integer as units
  from order_items i
  join order_items r on r.store_id = i.store_id and r.replaces_item_id = i.id
  join orders o on o.store_id = r.store_id and o.id = r.order_id
  where i.store_id = ${CURRENT_STORE} and i.order_id = $1::uuid and o.status <> 'canceled'
  group by i.id`,
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
