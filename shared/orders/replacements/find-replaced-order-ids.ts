import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

const FIND_REPLACED_ORDERS: Statement = {
  name: 'find_replaced_orders',
  text: `
  with recursive replaced as (
    select $1::uuid as order_id
    union
    select original.order_id
    from replaced
    join order_items line on line.store_id = ${CURRENT_STORE} and line.order_id = replaced.order_id
    join order_items original on original.store_id = line.store_id and original.id = line.replaces_item_id)
  select order_id as "orderId" from replaced where order_id <> $1::uuid order by order_id desc`,
}

/**
 * Returns the ids of the orders that a replacement order replaces, the latest first; none for any other order. A
 * replacement can be replaced again, so the last id is that of the paid order.
 */
export async function findReplacedOrderIds(tx: StoreTx, orderId: string): Promise<string[]> {
  const replaced = await tx.prepared<{ orderId: string }>(FIND_REPLACED_ORDERS, [orderId])
  return replaced.map((row) => row.orderId)
}
