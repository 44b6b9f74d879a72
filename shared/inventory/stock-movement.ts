import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

export const MOVEMENT_REASONS = ['initial', 'import', 'adjustment', 'shipment', 'return'] as const
export type MovementReason = (typeof MOVEMENT_REASONS)[number]

/** A change of the units on hand, with its reason. */
export class StockMovement extends StoreModel {
  static override tableName = 'stock_movements'

  declare variantId: string
  declare delta: number
  declare reason: MovementReason
  /** The id of the order or import that it belongs to. A return has its order's id. */
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
