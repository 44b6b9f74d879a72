import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { moveStatement, moveUnits, type ShortVariant } from './move-units.ts'

const RESERVE = moveStatement(
  'reserve_stock',
  `
    select variant_id, quantity, 'released' as state
    from unnest($3::uuid[], $4::int[]) as asked (variant_id, quantity)`,
)

/**
 * Reserves the units of a new order: held while its payment is open, allocated when they can ship. Too few units
 * reserve nothing: the result names the short variants.
 */
export const reserveStock = (
  tx: StoreTx,
  orderId: string,
  to: 'held' | 'allocated',
  lines: { variantId: string; quantity: number }[],
): Promise<ShortVariant[]> =>
  moveUnits(tx, RESERVE, {
    orderId,
    to,
    values: [lines.map(({ variantId }) => variantId), lines.map(({ quantity }) => quantity)],
  })
