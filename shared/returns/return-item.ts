import { StoreModel } from '#shared/platform/db/model.ts'
import type { Disposition, ReturnCondition, ReturnReason } from './states.ts'

/** Units of an order's line on a return. Once they are received, units that fared differently are lines of their own. */
export class ReturnItem extends StoreModel {
  static override tableName = 'return_items'

  declare returnId: string
  declare orderItemId: string
  declare position: number
  declare quantity: number
  declare reason: ReturnReason
  declare condition: ReturnCondition | null
  declare note: string | null
  /** Null until it is received. */
  declare disposition: Disposition | null
}
