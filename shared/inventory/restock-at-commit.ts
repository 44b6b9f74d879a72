import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { deferMove } from './deferred-moves.ts'
import { reportStockChanges, type StockChange } from './report-stock-changes.ts'
import { SOLD_RESERVATION_STATUSES } from './states.ts'
import { availableSql, stockChangedAtSql, toArrays, type VariantUnits } from './stock-level.ts'
import { recordOrderMovements } from './stock-movement.ts'

// Releases allocated units, and puts shipped units back on hand. Takes the units of a variant from the statuses in $4,
// in that sequence: `taken_before` are the units in the statuses before a row's own.
const RESTOCK: Statement = {
  name: 'restock_units',
  text: `
  with requested as (
    select * from unnest($2::uuid[], $3::int[]) as a (variant_id, quantity)),
  reserved as (
    select r.variant_id, r.status, r.quantity as reserved, a.quantity as requested,
      sum(r.quantity) over (partition by r.variant_id order by array_position($4::text[], r.status))
        - r.quantity as taken_before
    from requested a join stock_reservations r on r.variant_id = a.variant_id
    where r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid and r.status = any($4::text[])),
  returned as materialized (
    select variant_id, status, reserved, least(reserved, requested - taken_before)::int as quantity
    from reserved where requested > taken_before),
  changes as (
    select variant_id, coalesce(sum(quantity) filter (where status = 'allocated'), 0)::int as allocated,
      coalesce(sum(quantity) filter (where status = 'shipped'), 0)::int as shipped
    from returned group by variant_id),
  locked as materialized (
    select v.id, ${availableSql('v')} as available
    from product_variants v
    where v.store_id = ${CURRENT_STORE} and v.id in (select variant_id from changes)
    order by v.id for no key update),
  moved as (
    update product_variants v set
      stock_allocated = stock_allocated - c.allocated, stock_on_hand = stock_on_hand + c.shipped,
      stock_changed_at = ${stockChangedAtSql('$5')}
    from changes c join locked l on l.id = c.variant_id
    where v.store_id = ${CURRENT_STORE} and v.id = c.variant_id
    returning v.id, l.available as before, ${availableSql('v')} as after),
  reduced as (
    update stock_reservations s set quantity = s.quantity - r.quantity from returned r
    where s.store_id = ${CURRENT_STORE} and s.order_id = $1::uuid and s.variant_id = r.variant_id
      and s.status = r.status and r.reserved > r.quantity),
  emptied as (
    delete from stock_reservations s using returned r
    where s.store_id = ${CURRENT_STORE} and s.order_id = $1::uuid and s.variant_id = r.variant_id
      and s.status = r.status and r.reserved = r.quantity)
  select c.variant_id as "variantId", c.shipped, m.before, m.after
  from changes c join moved m on m.id = c.variant_id`,
}

interface RestockedRow extends StockChange {
  /** The shipped units that are on hand again. */
  shipped: number
}

/**
 * Puts units of an order back in stock right before the commit: after a refund with restock, or a return. The caller
 * has locked the order. It takes unshipped units first. With `onlyShipped`, for a return, it takes only shipped units.
 */
export const restockAtCommit = (
  tx: StoreTx,
  orderId: string,
  units: readonly VariantUnits[],
  options: { onlyShipped?: boolean } = {},
): void => deferMove(tx, orderId, () => restock(tx, orderId, units, options))

async function restock(
  tx: StoreTx,
  orderId: string,
  units: readonly VariantUnits[],
  { onlyShipped = false }: { onlyShipped?: boolean },
): Promise<void> {
  const rows = await tx.prepared<RestockedRow>(RESTOCK, [
    orderId,
    ...toArrays(units),
    onlyShipped ? ['shipped'] : SOLD_RESERVATION_STATUSES,
    now(),
  ])
  const back = rows.filter(({ shipped }) => shipped > 0)
  await recordOrderMovements(
    tx,
    'return',
    orderId,
    back.map(({ variantId, shipped }) => ({ variantId, delta: shipped })),
  )
  await reportStockChanges(tx, rows)
}
