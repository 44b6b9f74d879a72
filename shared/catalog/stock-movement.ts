import { StoreModel } from '#shared/platform/db/model.ts'

export const MOVEMENT_REASONS = ['initial', 'import', 'adjustment', 'shipment', 'return'] as const

/** A change of the units on hand, and why. */
export class StockMovement extends StoreModel {
  static override tableName = 'stock_movements'

  declare variantId: string
  declare delta: number
  declare reason: (typeof MOVEMENT_REASONS)[number]
  /** What it belongs to: an order, a return, an import. */
  declare reference: string | null
  /** What whoever adjusted it says. */
  declare note: string | null
  declare createdAt: Date
}
