import { noteStockChanges, type StockChange } from '#shared/catalog/note-stock-changes.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { noteStockMovements } from './note-stock-movements.ts'

// Units that never left the shelf are promised to this order no more; units that shipped are back on it.
const RETURN_TO_STOCK = `
  with asked as (
    select * from unnest(:variantIds::uuid[], :quantities::int[]) as a (variant_id, quantity)),
  coming_back as materialized (
    select r.variant_id, r.state, r.quantity as reserved, least(a.quantity, r.quantity) as quantity
    from asked a join stock_reservations r on r.variant_id = a.variant_id
    where r.store_id = :storeId and r.order_id = :orderId and r.state in ('allocated', 'shipped')),
  locked as materialized (
    select id, stock_on_hand - stock_allocated - stock_held as available
    from product_variants
    where store_id = :storeId and id in (select variant_id from coming_back)
    order by id for no key update),
  moved as (
    update product_variants v set
      stock_allocated = stock_allocated - r.quantity * (r.state = 'allocated')::int,
      stock_on_hand = stock_on_hand + r.quantity * (r.state = 'shipped')::int
    from coming_back r join locked l on l.id = r.variant_id
    where v.store_id = :storeId and v.id = r.variant_id
    returning v.id, l.available as before, v.stock_on_hand - v.stock_allocated - v.stock_held as after),
  marked as (
    update stock_reservations s set
      quantity = case when r.reserved = r.quantity then s.quantity else s.quantity - r.quantity end,
      state = case when r.reserved = r.quantity then 'released' else s.state end
    from coming_back r
    where s.store_id = :storeId and s.order_id = :orderId and s.variant_id = r.variant_id)
  select r.variant_id as "variantId", r.state = 'shipped' as "wasShipped", r.quantity, m.before, m.after
  from coming_back r join moved m on m.id = r.variant_id`

interface ReturnedRow extends StockChange {
  wasShipped: boolean
  quantity: number
}

/** Puts units of an order, which the caller has locked, back on sale: after a refund with restock, or a return. */
export async function returnToStock(
  tx: StoreTx,
  orderId: string,
  lines: { variantId: string; quantity: number }[],
): Promise<void> {
  const { rows } = await tx.knex.raw<{ rows: ReturnedRow[] }>(RETURN_TO_STOCK, {
    storeId: tx.storeId,
    orderId,
    variantIds: lines.map(({ variantId }) => variantId),
    quantities: lines.map(({ quantity }) => quantity),
  })
  const back = rows.filter(({ wasShipped }) => wasShipped)
  await noteStockMovements(
    tx,
    'return',
    orderId,
    back.map(({ variantId, quantity }) => ({ variantId, delta: quantity })),
  )
  await noteStockChanges(tx, rows)
}
