import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { reportStockChanges, type StockChange } from './report-stock-changes.ts'
import type { ReservationStatus } from './states.ts'
import { availableSql, stockChangedAtSql } from './stock-level.ts'
import { recordOrderMovements } from './stock-movement.ts'

/**
 * Returns a statement that moves units of an order ($1) to a status ($2) at a time ($3). `units` is SQL that selects
 * the units by variant_id, quantity and present status. The values of that SQL are $4 and up.
 *
 * Variants are locked by ascending id, so that two orders of the same variants cannot deadlock. Available units are
 * counted after the lock; otherwise two orders could both take the last unit. The move takes all units or none. The
 * lock is NO KEY, because the foreign key of a reservation locks the variant's key: two orders with full locks would
 * deadlock.
 */
export const moveStatement = (name: string, units: string): Statement => ({
  name,
  text: `
  with moving as materialized (${units}),
  locked as materialized (
    select v.id, v.backorder, ${availableSql('v')} as available
    from product_variants v
    where v.store_id = ${CURRENT_STORE} and v.id in (select variant_id from moving)
    order by v.id for no key update),
  -- Only a move from released to another status takes available units.
  checked as materialized (
    select m.*, l.available,
      m.status <> 'released' or $2::text = 'released' or l.backorder or l.available >= m.quantity as enough
    from moving m join locked l on l.id = m.variant_id),
  changes as (
    select variant_id, sum(quantity)::int as quantity, bool_and(enough) as enough, min(available) as available,
      sum(quantity * (($2 = 'held')::int - (status = 'held')::int))::int as held,
      sum(quantity * (($2 = 'allocated')::int - (status = 'allocated')::int))::int as allocated,
      sum(quantity * (($2 = 'shipped')::int - (status = 'shipped')::int))::int as shipped
    from checked group by variant_id),
  moved as (
    update product_variants v set
      stock_held = stock_held + c.held,
      stock_allocated = stock_allocated + c.allocated,
      stock_on_hand = stock_on_hand - c.shipped,
      stock_changed_at = ${stockChangedAtSql('$3')}
    from changes c
    where v.store_id = ${CURRENT_STORE} and v.id = c.variant_id
      and (select bool_and(enough) from checked)
    returning v.id, ${availableSql('v')} as available),
  reduced as (
    update stock_reservations r set quantity = r.quantity - k.quantity from checked k
    where r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid and r.variant_id = k.variant_id
      and r.status = k.status and r.quantity > k.quantity and (select bool_and(enough) from checked)),
  emptied as (
    delete from stock_reservations r using checked k
    where r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid and r.variant_id = k.variant_id
      and r.status = k.status and r.quantity = k.quantity and (select bool_and(enough) from checked)),
  added as (
    insert into stock_reservations as s (store_id, order_id, variant_id, quantity, status)
    select ${CURRENT_STORE}, $1::uuid, variant_id, quantity, $2 from changes
    where (select bool_and(enough) from checked)
    on conflict (store_id, order_id, variant_id, status) do update set quantity = s.quantity + excluded.quantity)
  select c.variant_id as "variantId", c.quantity, c.shipped, c.available as before, m.available as after,
    not c.enough as short
  from changes c left join moved m on m.id = c.variant_id`,
})

interface MovedRow extends StockChange {
  quantity: number
  /** The units that left; negative for units that came back. */
  shipped: number
  short: boolean
}

/** A variant with too few available units. */
export interface ShortVariant {
  variantId: string
  available: number
}

/** Runs a statement of `moveStatement`. If units are missing, moves nothing and returns the short variants. */
export async function moveUnits(
  tx: StoreTx,
  statement: Statement,
  { orderId, to, values }: { orderId: string; to: ReservationStatus; values: unknown[] },
): Promise<ShortVariant[]> {
  const rows = await tx.prepared<MovedRow>(statement, [orderId, to, now(), ...values])
  const short = rows.filter((row) => row.short)
  if (short.length)
    return short.map(({ variantId, before }) => ({ variantId, available: Math.max(0, before) }))
  const movements = rows
    .filter(({ shipped }) => shipped !== 0)
    .map(({ variantId, shipped }) => ({ variantId, delta: -shipped }))
  await recordOrderMovements(tx, to === 'shipped' ? 'shipment' : 'return', orderId, movements)
  await reportStockChanges(tx, rows)
  return []
}
