import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import { orderNoteMail } from '#shared/order-history/mails/note.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import { issueAccessToken } from '#shared/orders/buyers/buyer.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { OrderHistoryErrors } from './errors.ts'
import { OrderNote } from './order-note.ts'

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
 * `order.note_limit_reached`, and 422 for a mail of an internal note.
 */
export async function addOrderNote(
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
    OrderHistoryErrors.noteLimitReached,
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
