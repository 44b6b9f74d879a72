import type { Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { moveStatement, moveUnits, type ShortVariant } from './move-units.ts'
import { toArrays, type VariantUnits } from './stock-level.ts'

// PostgreSQL keeps the plan of a statement only if it knows the number of lines. It does not know the length of an
// array, and plans a statement with arrays again for each order. So orders of few lines have a statement for each
// number of lines.
const FEW_LINES = 5

const reserveStatement = (name: string, requested: string): Statement =>
  moveStatement(
    name,
    `select variant_id, quantity, 'released' as status from ${requested} as requested (variant_id, quantity)`,
  )

const RESERVE = reserveStatement('reserve_stock', 'unnest($4::uuid[], $5::int[])')

/** The statements for 1, 2, … `FEW_LINES` lines. */
const RESERVE_FEW_LINES = Array.from({ length: FEW_LINES }, (_, last) => {
  const rows = Array.from(
    { length: last + 1 },
    (_, line) => `($${4 + 2 * line}::uuid, $${5 + 2 * line}::int)`,
  )
  return reserveStatement(`reserve_stock_${rows.length}`, `(values ${rows})`)
})

/**
 * Reserves the units of a new order. They are `held` while the payment is open, `allocated` once they can ship. If
 * units are missing, reserves nothing and returns the short variants.
 */
export function reserveStock(
  tx: StoreTx,
  orderId: string,
  to: 'held' | 'allocated',
  units: readonly VariantUnits[],
): Promise<ShortVariant[]> {
  const statement = RESERVE_FEW_LINES[units.length - 1]
  if (!statement) return moveUnits(tx, RESERVE, { orderId, to, values: toArrays(units) })
  const values = units.flatMap(({ variantId, quantity }) => [variantId, quantity])
  return moveUnits(tx, statement, { orderId, to, values })
}
