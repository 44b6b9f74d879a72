import { now } from '../platform/clock.ts'
import { randomToken, sha256 } from '../platform/crypto.ts'
import { emit } from '../platform/events.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { customerActor } from './actor.ts'
import { orderCreated } from './events.ts'
import { Order } from './order.ts'
import { OrderHistory } from './order-history.ts'
import { OrderItem } from './order-item.ts'
import { newOrderNumber } from './order-number.ts'
import { STOCK_OF_STATUS } from './states.ts'
import { assertNoneShort } from './stock/assert-stock.ts'
import { moveStock } from './stock/move-stock.ts'
import { type OrderView, viewOrder } from './view.ts'

export type OrderFacts = Pick<
  Order,
  | 'customerId'
  | 'currency'
  | 'language'
  | 'email'
  | 'firstname'
  | 'lastname'
  | 'telephone'
  | 'shippingAddress'
  | 'billingAddress'
  | 'shippingMethod'
  | 'paymentMethod'
  | 'note'
  | 'subtotalMinor'
  | 'discountMinor'
  | 'shippingMinor'
  | 'taxMinor'
  | 'totalMinor'
  | 'expiresAt'
>

export type OrderLine = Pick<
  OrderItem,
  | 'productId'
  | 'variantId'
  | 'name'
  | 'sku'
  | 'optionValues'
  | 'imageUrl'
  | 'quantity'
  | 'unitPriceMinor'
  | 'lineTotalMinor'
>

export interface OrderDraft {
  /** `processing` where the goods may leave before they are paid for. */
  status: 'pending' | 'processing'
  facts: OrderFacts
  lines: OrderLine[]
  /** When its stock is let go unless it is paid by then; null: not by itself. */
  holdUntil: Date | null
}

export interface PlacedOrder {
  order: Order
  view: OrderView
  /** Lets a guest see, pay and cancel the order; told once. Null for a customer. */
  accessToken: string | null
}

/**
 * Writes an order and takes its stock: held while it waits for its payment, else allocated. Throws
 * `checkout.insufficient_stock`, naming the lines.
 */
export async function placeOrder(
  tx: StoreTx,
  { status, facts, lines, holdUntil }: OrderDraft,
): Promise<PlacedOrder> {
  const at = now()
  const accessToken = facts.customerId ? null : randomToken()
  const order = await Order.in(tx).insert({
    ...facts,
    number: newOrderNumber(),
    accessTokenHash: accessToken ? sha256(accessToken) : null,
    status,
    amountCapturedMinor: 0n,
    amountRefundedMinor: 0n,
    paidAt: null,
    shippedAt: null,
    createdAt: at,
    updatedAt: at,
  })
  const items = await insertLines(tx, order.id, lines)
  const actor = customerActor(facts.customerId)
  await OrderHistory.in(tx).insert({ orderId: order.id, toStatus: status, actor, createdAt: at })
  await takeStock(tx, order, holdUntil)
  const view = viewOrder(order, items)
  await emit(tx, orderCreated, view)
  return { order, view, accessToken }
}

async function insertLines(tx: StoreTx, orderId: string, lines: OrderLine[]): Promise<OrderItem[]> {
  const items = await OrderItem.in(tx).insert(
    lines.map((line, position) => ({ ...line, orderId, position, refundedQuantity: 0 })),
  )
  await tx.knex('stock_reservations').insert(
    lines.map(({ variantId, quantity }) => ({
      store_id: tx.storeId,
      order_id: orderId,
      variant_id: variantId,
      quantity,
      state: 'released',
    })),
  )
  return items
}

async function takeStock(tx: StoreTx, { id, status }: Order, expiresAt: Date | null): Promise<void> {
  const { to } = STOCK_OF_STATUS[status]
  await assertNoneShort(tx, id, await moveStock(tx, { orderId: id, from: ['released'], to, expiresAt }))
}
