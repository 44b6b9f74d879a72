import { type Static, Type } from 'typebox'
import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import { orderNoteMail } from '#shared/order-history/mails/note.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import { issueAccessToken } from '#shared/orders/buyers/buyer.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { OrderHistoryErrors } from './errors.ts'

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

export interface NewNote {
  body: string
  isCustomerVisible: boolean
  /** Whether to mail it to the buyer. */
  notify: boolean
}

// Limited, because the history of an order is read completely.
const MAX_NOTES = 200

/**
 * Adds a note to an order, and with `notify` mails it to the buyer. Throws `resource.not_found`,
 * `order.too_many_notes`, and 422 for a mail of an internal note.
 */
export async function addNote(
  tx: StoreTx,
  orderId: string,
  { body, isCustomerVisible, notify }: NewNote,
  actor: OrderActor,
): Promise<OrderNote> {
  if (notify && !isCustomerVisible)
    throw invalid(['notify'], 'Only a note that the buyer may see can be mailed: set is_customer_visible')
  const order = await lockOrder(tx, orderId)
  await assertBelowLimit(
    tx,
    OrderNote.in(tx).where('order_id', orderId),
    MAX_NOTES,
    OrderHistoryErrors.tooManyNotes,
  )
  const note = { orderId, body, isCustomerVisible, isMailed: notify, actor, createdAt: now() }
  if (notify) await mailNote(tx, order, body)
  return OrderNote.in(tx).insert(note)
}

async function mailNote(tx: StoreTx, { id, number, firstname, email, language }: Order, body: string) {
  const access_token = await issueAccessToken(tx, id)
  await queueMailByStaff(tx, orderNoteMail, toRecipient({ id, email, language }), {
    order_id: id,
    access_token,
    number,
    firstname,
    body,
  })
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
export const viewNote = (note: OrderNote): Static<typeof OrderNoteView> => ({
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
