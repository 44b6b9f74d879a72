import { customerActor, type OrderActor } from '#shared/orders/actor.ts'
import { type Buyer, findOrderOfBuyer } from '#shared/orders/buyers/buyer.ts'
import { lockOrder, newOrderNumber, type Order } from '#shared/orders/order.ts'
import { hasShippedUnits } from '#shared/orders/order-item.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import { FULFILLING_ORDER_STATUSES } from '#shared/orders/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { now } from '#shared/platform/time/clock.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { emitReturnEvent } from '#shared/returns/events.ts'
import { Return } from '#shared/returns/return.ts'
import { type RequestedItem, replaceItems } from '#shared/returns/return-item.ts'
import { RETURN_WORDS, wordsOfReturn } from '#shared/returns/return-words.ts'
import type { ReturnAction } from '#shared/returns/states.ts'
import { assertReturnable } from './returnable-units.ts'

export interface ReturnRequest {
  action: ReturnAction
  comment: string | null
  items: RequestedItem[]
  /** Default: none. */
  metadata?: MetadataChange | undefined
}

/**
 * Requests a return of shipped units of an order, refunded or not. Throws `resource.not_found`,
 * `return.order_not_shipped`, `return.quantity_exceeded` and `validation.failed`.
 */
export async function requestReturn(
  tx: StoreTx,
  orderId: string,
  request: ReturnRequest,
  actor: OrderActor,
): Promise<Return> {
  // Lock first: two concurrent requests could both see the same units left.
  const order = await lockOrder(tx, orderId)
  if (!(await hasShippedUnits(tx, orderId))) throw ReturnErrors.orderNotShipped({ status: order.status })
  await assertReturnable(tx, order, request.items)
  return insertReturn(tx, order, request, actor)
}

// Canceled returns count too. Each return adds to the history of its order, which staff read as a whole: a buyer who
// requests and cancels again and again would make it too large to read.
const MAX_OF_BUYER = 100

/**
 * Requests a return of shipped units of the buyer's order. Throws `resource.not_found` for another buyer's order, and
 * `return.limit_reached`.
 */
export async function requestOwnReturn(
  tx: StoreTx,
  orderId: string,
  request: ReturnRequest,
  buyer: Buyer,
): Promise<Return> {
  await findOrderOfBuyer(tx, orderId, buyer)
  const order = await lockOrder(tx, orderId)
  // Only staff request returns of a refunded or canceled order.
  if (!FULFILLING_ORDER_STATUSES.has(order.status))
    throw ReturnErrors.orderNotShipped({ status: order.status })
  const returns = await Return.in(tx).where('order_id', orderId).resultSize()
  if (returns >= MAX_OF_BUYER) throw ReturnErrors.limitReached({ limit: MAX_OF_BUYER })
  return requestReturn(tx, orderId, request, customerActor(order.customerId))
}

async function insertReturn(
  tx: StoreTx,
  order: Order,
  { items, metadata, ...request }: ReturnRequest,
  actor: OrderActor,
): Promise<Return> {
  const at = now()
  const rma = await Return.in(tx).insert({
    ...request,
    metadata: mergeMetadata({}, metadata),
    number: `R${newOrderNumber()}`,
    orderId: order.id,
    customerId: order.customerId,
    status: 'requested',
    requestedBy: actor,
    createdAt: at,
    updatedAt: at,
  })
  await RETURN_WORDS.replace(tx, [{ id: rma.id, words: wordsOfReturn(rma, order) }])
  await replaceItems(tx, rma.id, items)
  await addHistoryNote(tx, order, `Return ${rma.number} requested`, actor, { returnId: rma.id })
  await emitReturnEvent(tx, rma.id, 'requested')
  return rma
}
