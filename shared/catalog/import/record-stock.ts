import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { noteStockChanges } from '../note-stock-changes.ts'
import type { PlannedVariant } from './plan-variants.ts'
import type { VariantRow } from './rows.ts'

/** The file says how many units there are: what that changes is a movement of stock, and may end or begin a sell-out. */
export async function recordStock(tx: StoreTx, variants: PlannedVariant[], jobId: string): Promise<void> {
  const at = now()
  const movements = variants
    .map(({ variant, before }) => ({
      variantId: variant.id,
      delta: variant.stockOnHand - (before?.stockOnHand ?? 0),
    }))
    .filter(({ delta }) => delta !== 0)
    .map(({ variantId, delta }) => ({
      store_id: tx.storeId,
      id: newId(),
      variant_id: variantId,
      delta,
      reason: 'import',
      reference: jobId,
      created_at: at,
    }))
  if (movements.length) await tx.knex('stock_movements').insert(movements)
  const known = variants.flatMap(({ variant, before }) => (before ? [{ variant, before }] : []))
  await noteStockChanges(
    tx,
    known.map(({ variant, before }) => ({
      variantId: variant.id,
      before: available(before),
      after: available(variant),
    })),
  )
}

const available = ({ stockOnHand, stockAllocated, stockHeld }: VariantRow): number =>
  stockOnHand - stockAllocated - stockHeld
