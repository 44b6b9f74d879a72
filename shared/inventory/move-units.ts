import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { reportStockChanges, type StockChange } from './report-stock-changes.ts'
import { availableSql } from './stock-level.ts'
import { recordOrderMovements } from './stock-movement.ts'

/** held: promised while the payment is open; allocated: sold, not yet shipped; then shipped, or released. */
export type ReservationState = 'held' | 'allocated' | 'shipped' | 'released'

/**
 * A statement that moves units of an order ($1) to a state ($2). `units` selects them (variant_id, quantity, state);
 * `book` writes the reservations of those `judged`.
 *
 * Variants are locked in the order of their ids, so that two orders of the same variants wait for each other instead
 * of in a circle. Available units are counted after the lock: two orders that count at once could both take the last
 * one. The move takes all of the units or none. (NO KEY: the foreign key of a reservation locks the key of its
 * variant. A full lock would wait for it, and two such orders for each other.)
 */
export const moveStatement = (name: string, { units, book }: { units: string; book: string }): Statement => ({
  name,
  text: `
  with moving as materialized (${units}),
  locked as materialized (
    select v.id, v.backorder, ${availableSql('v')} as available
    from product_variants v
    where v.store_id = ${CURRENT_STORE} and v.id in (select variant_id from moving)
    order by v.id for no key update),
  judged as materialized (
    select m.*, l.available,
      m.state <> 'released' or $2::text = 'released' or l.backorder or l.available >= m.quantity as enough
    from moving m join locked l on l.id = m.variant_id),
  moved as (
    update product_variants v set
      stock_held = stock_held + j.quantity * (($2 = 'held')::int - (j.state = 'held')::int),
      stock_allocated = stock_allocated + j.quantity * (($2 = 'allocated')::int - (j.state = 'allocated')::int),
      stock_on_hand = stock_on_hand - j.quantity * ($2 = 'shipped')::int
    from judged j
    where v.store_id = ${CURRENT_STORE} and v.id = j.variant_id
      and (select bool_and(enough) from judged)
    returning v.id, ${availableSql('v')} as available),
  booked as (${book})
  select j.variant_id as "variantId", j.quantity, j.available as before, m.available as after, not j.enough as short
  from judged j left join moved m on m.id = j.variant_id`,
})

interface MovedRow extends StockChange {
  quantity: number
  short: boolean
}

/** A variant that has too few units. */
export interface ShortVariant {
  variantId: string
  available: number
}

/** Runs a statement of `moveStatement`. Too few units move nothing: the result names the short variants. */
export async function moveUnits(
  tx: StoreTx,
  statement: Statement,
  { orderId, to, values }: { orderId: string; to: ReservationState; values: unknown[] },
): Promise<ShortVariant[]> {
  const rows = await tx.prepared<MovedRow>(statement, [orderId, to, ...values])
  const short = rows.filter((row) => row.short)
  if (short.length)
    return short.map(({ variantId, before }) => ({ variantId, available: Math.max(0, before) }))
  if (to === 'shipped')
    await recordOrderMovements(
      tx,
      'shipment',
      orderId,
      rows.map(({ variantId, quantity }) => ({ variantId, delta: -quantity })),
    )
  await reportStockChanges(tx, rows)
  return []
}
