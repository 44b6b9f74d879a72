import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { StockChange } from './report-stock-changes.ts'
import { availableSql } from './stock-level.ts'
import type { MovementReason } from './stock-movement.ts'

// Lock variants by ascending id, as every statement that changes levels does.
const SET_STOCK: Statement = {
  name: 'set_stock',
  text: `
  with counted as (
    select * from unnest($1::uuid[], $2::int[], $3::uuid[]) as c (variant_id, on_hand, movement_id)),
  locked as materialized (
    select v.id, v.stock_on_hand, ${availableSql('v')} as available
    from product_variants v
    where v.store_id = ${CURRENT_STORE} and v.id in (select variant_id from counted)
    order by v.id for no key update),
  changed as (
    update product_variants v set stock_on_hand = c.on_hand,
      stock_changed_at = case when $4 = 'initial' then null else $6::timestamptz end
    from counted c join locked l on l.id = c.variant_id
    where v.store_id = ${CURRENT_STORE} and v.id = c.variant_id and l.stock_on_hand <> c.on_hand
    returning v.id, c.movement_id, c.on_hand - l.stock_on_hand as delta, l.available as before,
      ${availableSql('v')} as after),
  recorded as (
    insert into stock_movements (store_id, id, variant_id, delta, reason, reference, created_at)
    select ${CURRENT_STORE}, movement_id, id, delta, $4, $5, $6::timestamptz from changed)
  select id as "variantId", before, after from changed`,
}

export interface StockCount {
  variantId: string
  stockOnHand: number
}

/**
 * Sets the units on hand of variants, and records a movement for each change. Returns the changes, so that the caller
 * can report those of existing variants.
 */
export async function setStock(
  tx: StoreTx,
  counts: StockCount[],
  { reason, reference = null }: { reason: MovementReason; reference?: string | null },
): Promise<StockChange[]> {
  if (counts.length === 0) return []
  return tx.prepared<StockChange>(SET_STOCK, [
    counts.map(({ variantId }) => variantId),
    counts.map(({ stockOnHand }) => stockOnHand),
    counts.map(() => newId()),
    reason,
    reference,
    now(),
  ])
}
