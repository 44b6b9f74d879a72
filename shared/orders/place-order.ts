import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { randomToken, sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { orderCreated } from './events.ts'
import { insertOrder } from './insert-order.ts'
import { Order } from './order.ts'
import { OrderItem } from './order-item.ts'
import { newOrderNumber } from './order-number.ts'
import { reserveOrderStock } from './stock.ts'
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
  | 'couponCode'
  | 'note'
  | 'subtotalMinor'
  | 'discountMinor'
  | 'shippingMinor'
  | 'shippingTaxMinor'
  | 'taxMinor'
  | 'totalMinor'
  | 'voucherMinor'
  | 'expiresAt'
> & {
  /** None: nothing was taxed. */
  taxes?: Order['taxes']
  /** None: what it needs is not let go of by itself. */
  holdUntil?: Date | null
}

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
  | 'discountMinor'
  | 'taxMinor'
>

export interface OrderDraft {
  /** `processing` where the goods may leave before they are paid for. */
  status: 'pending' | 'processing'
  facts: OrderFacts
  lines: OrderLine[]
}

export interface PlacedOrder {
  order: Order
  view: OrderView
  /** Lets a guest see, pay and cancel the order; told once. Null for a customer. */
  accessToken: string | null
}

/**
 * Inserts an order and reserves its stock. Throws `checkout.insufficient_stock`, naming the lines.
 */
export async function placeOrder(tx: StoreTx, draft: OrderDraft): Promise<PlacedOrder> {
  const accessToken = draft.facts.customerId ? null : randomToken()
  const order = newOrder(tx, draft, accessToken)
  const items = draft.lines.map((line, position) => newItem(order, line, position))
  await insertOrder(tx, order, items)
  await reserveOrderStock(tx, { id: order.id, status: draft.status }, items)
  const view = viewOrder(order, items)
  await emit(tx, orderCreated, view)
  return { order, view, accessToken }
}

function newOrder({ storeId }: StoreTx, { status, facts }: OrderDraft, accessToken: string | null): Order {
  const at = now()
  return Object.assign(
    new Order(),
    { taxes: [], holdUntil: null, ...facts },
    {
      storeId,
      id: newId(),
      number: newOrderNumber(),
      accessTokenHash: accessToken ? sha256(accessToken) : null,
      status,
      amountCapturedMinor: 0n,
      amountRefundedMinor: 0n,
      createdAt: at,
      updatedAt: at,
      paidAt: null,
      shippedAt: null,
    },
  )
}

const newItem = ({ storeId, id: orderId }: Order, line: OrderLine, position: number): OrderItem =>
  Object.assign(new OrderItem(), line, { storeId, id: newId(), orderId, position, refundedQuantity: 0 })
