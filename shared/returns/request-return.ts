import { type Actor, customerActor } from '#shared/orders/actor.ts'
import { lockOrder, newOrderNumber, type Order } from '#shared/orders/order.ts'
import { addOrderNote } from '#shared/orders/order-history.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type AskedItem, assertReturnable } from './assert-returnable.ts'
import { ReturnErrors } from './errors.ts'
import { emitReturnEvent } from './events.ts'
import { putItems } from './put-items.ts'
import { Return } from './return.ts'
import type { ReturnAction } from './states.ts'

export interface ReturnRequest {
  action: ReturnAction
  comment: string | null
  items: AskedItem[]
}

/**
 * Asks to return units of an order. Goods that left can come back, whatever was paid back of them since. Throws 404
 * `resource.not_found`, 409 `return.order_not_shipped`, 422 `return.quantity_exceeded` and `validation.failed`.
 */
export async function requestReturn(
  tx: StoreTx,
  orderId: string,
  asked: ReturnRequest,
  actor: Actor,
): Promise<Return> {
  // Lock first: two requests at once could each see the same units left.
  const order = await lockOrder(tx, orderId)
  if (!order.shippedAt) throw ReturnErrors.orderNotShipped({ status: order.status })
  await assertReturnable(tx, order, asked.items)
  return writeReturn(tx, order, asked, actor)
}

/**
 * The same by a customer, of an order of their own that is shipped or complete: one that was paid back in full is for
 * the staff to look at. Another's order is answered as an unknown one.
 */
export async function requestOwnReturn(
  tx: StoreTx,
  orderId: string,
  asked: ReturnRequest,
  customerId: string,
): Promise<Return> {
  const order = await lockOrder(tx, orderId)
  if (order.customerId !== customerId) throw CommonErrors.notFound()
  if (order.status !== 'shipped' && order.status !== 'complete')
    throw ReturnErrors.orderNotShipped({ status: order.status })
  return requestReturn(tx, orderId, asked, customerActor(customerId))
}

async function writeReturn(
  tx: StoreTx,
  order: Order,
  { items, ...asked }: ReturnRequest,
  actor: Actor,
): Promise<Return> {
  const at = now()
  const rma = await Return.in(tx).insert({
    ...asked,
    number: `R${newOrderNumber()}`,
    orderId: order.id,
    customerId: order.customerId,
    status: 'requested',
    requestedBy: actor,
    createdAt: at,
    updatedAt: at,
  })
  await putItems(tx, rma.id, items)
  await addOrderNote(tx, order, `Return ${rma.number} requested`, actor)
  await emitReturnEvent(tx, rma.id, 'requested')
  return rma
}
