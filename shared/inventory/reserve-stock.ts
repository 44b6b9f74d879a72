import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { moveStatement, moveUnits, type ShortVariant } from './move-units.ts'
import { toArrays, type VariantUnits } from './stock-level.ts'

const RESERVE = moveStatement(
  'reserve_stock',
  `
    select variant_id, quantity, 'released' as state
    from unnest($4::uuid[], $5::int[]) as requested (variant_id, quantity)`,
)

/**
 * Reserves the units of a new order. They are `held` while the payment is open, `allocated` once they can ship. If
 * units are missing, reserves nothing and returns the short variants.
 */
export const reserveStock = (
  tx: StoreTx,
  orderId: string,
  to: 'held' | 'allocated',
  units: readonly VariantUnits[],
): Promise<ShortVariant[]> => moveUnits(tx, RESERVE, { orderId, to, values: toArrays(units) })
