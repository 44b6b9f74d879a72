import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

const FIND_REPLACED_ORDERS: Statement = {
  name: 'find_replaced_orders',
  text: `
  with recursive replaced as (
    select $1::uuid as order_id
    union
    select o.order_id
    from replaced r
    join order_items i on i.store_id = ${CURRENT_STORE} and i.order_id = r.order_id
    join order_items o on o.store_id = i.store_id and o.id = i.replaces_item_id)
  select order_id as "orderId" from replaced where order_id <> $1::uuid order by order_id desc`,
}

/**
 * The ids of the orders whose units an order sends again, the latest first: none, unless it is a replacement. A
 * replacement can be replaced in turn: the last one is the order that was paid.
 */
export async function findReplacedOrderIds(tx: StoreTx, orderId: string): Promise<string[]> {
  const replaced = await tx.prepared<{ orderId: string }>(FIND_REPLACED_ORDERS, [orderId])
  return replaced.map((row) => row.orderId)
}
