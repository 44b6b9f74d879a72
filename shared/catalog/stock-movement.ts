import { StoreModel } from '../platform/model.ts'

/** A change of the units on hand, and why. */
export class StockMovement extends StoreModel {
  static override tableName = 'stock_movements'

  declare variantId: string
  declare delta: number
  declare reason: 'initial' | 'import' | 'adjustment' | 'shipment' | 'return'
  /** What it belongs to: an order, a return, an import. */
  declare reference: string | null
  declare createdAt: Date
}
