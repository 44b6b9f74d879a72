import { StoreModel } from '#shared/platform/db/model.ts'

/** Units of an order's line that a refund pays back. */
export class RefundItem extends StoreModel {
  static override tableName = 'refund_items'

  declare refundId: string
  declare orderItemId: string
  declare quantity: number
}
