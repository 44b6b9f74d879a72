import { StoreModel } from '#shared/platform/db/model.ts'
import type { OrderStatus } from './states.ts'

/** One step of an order: from where to where, by whom. */
export class OrderHistory extends StoreModel {
  static override tableName = 'order_history'

  declare orderId: string
  declare fromStatus: OrderStatus | null
  declare toStatus: OrderStatus
  declare actor: string
  declare note: string | null
  declare createdAt: Date
}
