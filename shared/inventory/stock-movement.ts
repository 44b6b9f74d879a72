import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { findStockLevel } from './stock-level.ts'

export const MOVEMENT_REASONS = ['initial', 'import', 'adjustment', 'shipment', 'return'] as const
export type MovementReason = (typeof MOVEMENT_REASONS)[number]

/** A change of the units on hand, with its reason. */
export class StockMovement extends StoreModel {
  static override tableName = 'stock_movements'

  declare variantId: string
  declare delta: number
  declare reason: MovementReason
  /** The id of the order, return or import that caused it. */
  declare reference: string | null
  /** The reason that staff gave. */
  declare note: string | null
  declare createdAt: Date
}

/** Records units that left or came back for an order. */
export async function recordOrderMovements(
  tx: StoreTx,
  reason: 'shipment' | 'return',
  orderId: string,
  moved: { variantId: string; delta: number }[],
): Promise<void> {
  if (moved.length === 0) return
  const createdAt = now()
  await StockMovement.in(tx).insert(
    moved.map(({ variantId, delta }) => ({ variantId, delta, reason, reference: orderId, createdAt })),
  )
}

// Sort by id: a variant's movements have an index by id, and ids sort by time.
export const STOCK_MOVEMENTS = new List({
  sorts: { created_at: [], delta: 'delta' },
  order: '-created_at',
  searches: 'Part of the reason, the reference or the note',
  text: ['reason', 'reference', 'note'],
})

/**
 * Returns one page of a variant's stock movements, by default the latest first, and their number. Throws
 * `resource.not_found`.
 */
export async function listStockMovements(
  tx: StoreTx,
  variantId: string,
  filter: ListFilter,
): Promise<Page<StockMovement>> {
  if (!(await findStockLevel(tx, variantId))) throw CommonErrors.notFound()
  return STOCK_MOVEMENTS.page(StockMovement.in(tx).where('variant_id', variantId), filter)
}
