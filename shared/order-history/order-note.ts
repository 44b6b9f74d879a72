import { type Static, Type } from 'typebox'
import type { OrderActor } from '#shared/orders/actor.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

/** A text about an order. The buyer sees it only if `isCustomerVisible`. */
export class OrderNote extends StoreModel {
  static override tableName = 'order_notes'

  declare orderId: string
  declare body: string
  declare isCustomerVisible: boolean
  /** Whether it was mailed to the buyer. */
  declare isMailed: boolean
  declare actor: OrderActor
  declare createdAt: Date
}

/** Returns the notes of an order that its buyer may see, oldest first. */
export const findVisibleNotes = (tx: StoreTx, orderId: string): PromiseLike<OrderNote[]> =>
  OrderNote.in(tx).where({ order_id: orderId, is_customer_visible: true }).orderBy('id')

export const OrderNoteView = Shape({
  id: Uuid,
  body: Type.String(),
  is_customer_visible: Type.Boolean(),
  is_mailed: Type.Boolean(),
  created_at: Timestamp,
})

/** Returns a note as staff see it. */
export const viewOrderNote = (note: OrderNote): Static<typeof OrderNoteView> => ({
  id: note.id,
  body: note.body,
  is_customer_visible: note.isCustomerVisible,
  is_mailed: note.isMailed,
  created_at: toTimestamp(note.createdAt),
})

export const BuyerNoteView = Shape({ body: Type.String(), created_at: Timestamp })

/** Returns a note as the buyer sees it. */
export const viewBuyerNote = ({ body, createdAt }: OrderNote): Static<typeof BuyerNoteView> => ({
  body,
  created_at: toTimestamp(createdAt),
})
