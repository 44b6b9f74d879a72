import { orderCreated } from '#shared/orders/events.ts'
import { recountCustomer } from '#shared/orders/figures/customer-figures.ts'
import { type LockedOrder, newOrderNumber, Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { reserveOrderStock } from '#shared/orders/stock/order-stock.ts'
import { type OrderView, viewOrder } from '#shared/orders/view.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { randomToken, sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { insertOrder } from './insert-order.ts'

export type OrderDetails = Pick<
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
  | 'pricesIncludeTax'
  | 'subtotalMinor'
  | 'discountMinor'
  | 'shippingMinor'
  | 'shippingTaxMinor'
  | 'taxMinor'
  | 'totalMinor'
  | 'voucherMinor'
  | 'expiresAt'
> & {
  /** Default: none. */
  metadata?: Order['metadata']
  /** Default: none. */
  taxes?: Order['taxes']
  /** Default: 0. */
  roundingMinor?: bigint
  /** Default: none. */
  shippingTaxClassId?: string | null
  /** Default: the order keeps its hold. */
  holdUntil?: Date | null
  /** Default: none. */
  subscriptionId?: string | null
  /** Default: none. */
  campaignId?: string | null
  /** Default: none. */
  affiliateId?: string | null
  /** The number of this charge of the subscription. Default: none. */
  chargeNo?: number | null
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
  | 'totalMinor'
> & {
  /** Default: a new id. */
  id?: string
  /** Default: none. */
  replacesItemId?: string | null
  taxClassId?: string | null
}

export interface NewOrder {
  /** `processing` if the goods may ship before they are paid. */
  status: 'pending' | 'processing'
  details: OrderDetails
  lines: OrderLine[]
}

export interface PlacedOrder {
  order: LockedOrder
  view: OrderView
  /** A guest reads, pays and cancels the order with it. It is returned only here. Null for a customer. */
  accessToken: string | null
}

/**
 * Inserts an order, and reserves its stock right before the commit. With too little stock the commit fails with
 * `checkout.insufficient_stock`, which names the lines.
 */
export async function placeOrder(tx: StoreTx, draft: NewOrder): Promise<PlacedOrder> {
  const accessToken = draft.details.customerId ? null : randomToken()
  const order = newOrder(tx, draft, accessToken)
  const items = draft.lines.map((line, position) => newItem(order, line, position))
  await insertOrder(tx, order, items)
  reserveOrderStock(tx, { id: order.id, status: draft.status }, items)
  if (order.status === 'processing') recountCustomer(tx, order.customerId)
  const view = viewOrder(order, { items, shipments: [] })
  await emit(tx, orderCreated, view)
  // No other transaction sees the new row, so none can change it.
  return { order: order as LockedOrder, view, accessToken }
}

function newOrder({ storeId }: StoreTx, { status, details }: NewOrder, accessToken: string | null): Order {
  const at = now()
  return Object.assign(
    new Order(),
    {
      metadata: {},
      taxes: [],
      roundingMinor: 0n,
      shippingTaxClassId: null,
      holdUntil: null,
      subscriptionId: null,
      chargeNo: null,
      campaignId: null,
      affiliateId: null,
      ...details,
    },
    {
      storeId,
      id: newId(),
      number: newOrderNumber(),
      accessTokenHashes: accessToken ? [sha256(accessToken)] : [],
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
  Object.assign(
    new OrderItem(),
    { replacesItemId: null, taxClassId: null, ...line },
    {
      storeId,
      id: line.id ?? newId(),
      orderId,
      position,
      refundedQuantity: 0,
      shippedQuantity: 0,
      withdrawnQuantity: 0,
    },
  )
