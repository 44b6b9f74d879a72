import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { reportStockChanges, type StockChange } from './report-stock-changes.ts'
import { availableSql } from './stock-level.ts'
import { recordOrderMovements } from './stock-movement.ts'

// Allocated units are released, shipped units are on hand again.
const RESTOCK: Statement = {
  name: 'restock_units',
  text: `
  with asked as (
    select * from unnest($2::uuid[], $3::int[]) as a (variant_id, quantity)),
  returned as materialized (
    select r.variant_id, r.state, r.quantity as reserved, least(a.quantity, r.quantity) as quantity
    from asked a join stock_reservations r on r.variant_id = a.variant_id
    where r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid and r.state in ('allocated', 'shipped')),
  locked as materialized (
    select v.id, ${availableSql('v')} as available
    from product_variants v
    where v.store_id = ${CURRENT_STORE} and v.id in (select variant_id from returned)
    order by v.id for no key update),
  moved as (
    update product_variants v set
      stock_allocated = stock_allocated - r.quantity * (r.state = 'allocated')::int,
      stock_on_hand = stock_on_hand + r.quantity * (r.state = 'shipped')::int
    from returned r join locked l on l.id = r.variant_id
    where v.store_id = ${CURRENT_STORE} and v.id = r.variant_id
    returning v.id, l.available as before, ${availableSql('v')} as after),
  booked as (
    update stock_reservations s set
      quantity = case when r.reserved = r.quantity then s.quantity else s.quantity - r.quantity end,
      state = case when r.reserved = r.quantity then 'released' else s.state end
    from returned r
    where s.store_id = ${CURRENT_STORE} and s.order_id = $1::uuid and s.variant_id = r.variant_id)
  select r.variant_id as "variantId", r.state = 'shipped' as "wasShipped", r.quantity, m.before, m.after
  from returned r join moved m on m.id = r.variant_id`,
}

interface RestockedRow extends StockChange {
  wasShipped: boolean
  quantity: number
}

/** Puts units of an order, which the caller has locked, back on sale: after a refund with restock, or a return. */
export async function restockUnits(
  tx: StoreTx,
  orderId: string,
  lines: { variantId: string; quantity: number }[],
): Promise<void> {
  const rows = await tx.prepared<RestockedRow>(RESTOCK, [
    orderId,
    lines.map(({ variantId }) => variantId),
    lines.map(({ quantity }) => quantity),
  ])
  const shipped = rows.filter(({ wasShipped }) => wasShipped)
  await recordOrderMovements(
    tx,
    'return',
    orderId,
    shipped.map(({ variantId, quantity }) => ({ variantId, delta: quantity })),
  )
  await reportStockChanges(tx, rows)
}
