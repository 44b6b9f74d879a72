import { noteStockChanges, type StockChange } from '#shared/catalog/note-stock-changes.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { StockState } from '../states.ts'
import { noteStockMovements } from './note-stock-movements.ts'

export interface StockMove {
  orderId: string
  from: StockState[]
  to: StockState
}

// Variants are locked in the order of their ids, so that two orders of the same variants wait for each other instead
// of locking each other out. Their units are counted after the lock: what two read at once, one would oversell.
// A move that takes units anew takes all of them or none. (NO KEY: an order line being inserted holds a key lock on
// its variant, which a full lock would wait for, and two such orders for each other.)
const MOVE_STOCK: Statement = {
  name: 'move_stock',
  text: `
  with moving as materialized (
    select variant_id, quantity, state from stock_reservations
    where store_id = ${CURRENT_STORE} and order_id = $1::uuid and state = any($2::text[])),
  locked as materialized (
    select id, backorder, stock_on_hand - stock_allocated - stock_held as available
    from product_variants
    where store_id = ${CURRENT_STORE} and id in (select variant_id from moving)
    order by id for no key update),
  judged as materialized (
    select m.*, l.available,
      m.state <> 'released' or $3::text = 'released' or l.backorder or l.available >= m.quantity as enough
    from moving m join locked l on l.id = m.variant_id),
  moved as (
    update product_variants v set
      stock_held = stock_held + j.quantity * (($3 = 'held')::int - (j.state = 'held')::int),
      stock_allocated = stock_allocated + j.quantity * (($3 = 'allocated')::int - (j.state = 'allocated')::int),
      stock_on_hand = stock_on_hand - j.quantity * ($3 = 'shipped')::int
    from judged j
    where v.store_id = ${CURRENT_STORE} and v.id = j.variant_id
      and (select bool_and(enough) from judged)
    returning v.id, v.stock_on_hand - v.stock_allocated - v.stock_held as available),
  marked as (
    update stock_reservations r set state = $3
    from judged j
    where r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid
      and r.variant_id = j.variant_id and (select bool_and(enough) from judged))
  select j.variant_id as "variantId", j.quantity, j.available as before, m.available as after, not j.enough as short
  from judged j left join moved m on m.id = j.variant_id`,
}

interface MovedRow extends StockChange {
  quantity: number
  short: boolean
}

/** A variant of which too few units are left. */
export interface ShortVariant {
  variantId: string
  available: number
}

/**
 * Moves the stock of an order, which the caller has locked, from one state to another in one statement. Taking units
 * that are not there moves nothing: the answer names the variants that fell short.
 */
export async function moveStock(tx: StoreTx, { orderId, from, to }: StockMove): Promise<ShortVariant[]> {
  const rows = await tx.prepared<MovedRow>(MOVE_STOCK, [orderId, from, to])
  const short = rows.filter((row) => row.short)
  if (short.length)
    return short.map(({ variantId, before }) => ({ variantId, available: Math.max(0, before) }))
  if (to === 'shipped')
    await noteStockMovements(
      tx,
      'shipment',
      orderId,
      rows.map(({ variantId, quantity }) => ({ variantId, delta: -quantity })),
    )
  await noteStockChanges(tx, rows)
  return []
}
