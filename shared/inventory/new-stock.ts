import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { StockCount } from './set-stock.ts'
import type { MovementReason } from './stock-movement.ts'

/**
 * Returns the stock columns of a new variant's row. `units` is the SQL of its units on hand. Insert the columns with
 * the row: a later update would write the row and its indexes twice. Call `recordNewStock` afterwards.
 */
export const newStockColumns = (units: string): Record<string, string> => ({ stock_on_hand: units })

const RECORD: Statement = {
  name: 'record_new_stock',
  text: `
  insert into stock_movements (store_id, id, variant_id, delta, reason, reference, created_at)
  select ${CURRENT_STORE}, c.movement_id, c.variant_id, c.on_hand, $4, $5, $6::timestamptz
  from unnest($1::uuid[], $2::int[], $3::uuid[]) as c (variant_id, on_hand, movement_id)
  where c.on_hand <> 0`,
}

/** Records the first units of new variants, which were inserted with their rows. It emits no events. */
export async function recordNewStock(
  tx: StoreTx,
  counts: StockCount[],
  { reason, reference }: { reason: MovementReason; reference: string | null },
): Promise<void> {
  if (counts.length === 0) return
  await tx.prepared(RECORD, [
    counts.map(({ variantId }) => variantId),
    counts.map(({ stockOnHand }) => stockOnHand),
    counts.map(() => newId()),
    reason,
    reference,
    now(),
  ])
}
