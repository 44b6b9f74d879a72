import { type Static, Type } from 'typebox'
import { AddressView } from '#shared/geo/address.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import {
  Money,
  MoneyDifference,
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { TaxPartView, viewTaxPart } from '#shared/tax/view.ts'
import { findOrder, type Order } from './order.ts'
import { findOrderItems, OrderItem } from './order-item.ts'
import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from './states.ts'

const OrderItemView = Shape({
  id: Uuid,
  product_id: Nullable(Uuid),
  variant_id: Nullable(Uuid),
  name: Type.String(),
  sku: Type.String(),
  option_values: Type.Record(Type.String(), Type.String()),
  image_url: Nullable(Type.String()),
  quantity: Type.Integer(),
  unit_price: Money,
  line_total: Money,
  discount_total: Money,
  tax_total: Money,
  refunded_quantity: Type.Integer(),
})

export const OrderView = Shape({
  id: Uuid,
  number: Type.String(),
  status: Type.Enum([...ORDER_STATUSES]),
  payment_status: Type.Enum([...ORDER_PAYMENT_STATUSES]),
  fulfillment_status: Type.Enum(['unfulfilled', 'fulfilled']),
  customer_id: Nullable(Uuid),
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
  telephone: Type.String(),
  language: Type.String({ description: 'BCP 47; the language of mails to the buyer' }),
  shipping_address: AddressView,
  billing_address: AddressView,
  shipping_method: Nullable(Shape({ id: Uuid, code: Type.String(), name: Type.String() })),
  payment_method: Type.String(),
  coupon_code: Nullable(Type.String()),
  note: Nullable(Type.String()),
  currency: Type.String({ description: 'ISO 4217' }),
  items: Type.Array(OrderItemView),
  subtotal: Money,
  discount_total: Money,
  shipping_total: Money,
  tax_total: Money,
  taxes: Type.Array(TaxPartView, { description: 'The tax of each rate; their sum is the tax' }),
  rounding_total: Type.Number({
    ...MoneyDifference,
    description:
      'The rounding of the part that a card pays, e.g. to 0.01 KWD. May be negative; 0 for other payment methods. The ' +
      'total is subtotal - discount + shipping + tax + rounding',
  }),
  total: Money,
  voucher_total: Type.Number({ ...Money, description: 'The part of the total that a gift voucher pays' }),
  amount_captured: Money,
  amount_refunded: Money,
  created_at: Timestamp,
  updated_at: Timestamp,
  paid_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
})
export type OrderView = Static<typeof OrderView>

/** An order as its buyer and the staff see it, and as order events send it. */
export function viewOrder(order: Order, items: OrderItem[]): OrderView {
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    payment_status: order.paymentStatus,
    fulfillment_status: order.fulfillmentStatus,
    customer_id: order.customerId,
    email: order.email,
    firstname: order.firstname,
    lastname: order.lastname,
    telephone: order.telephone,
    language: order.language,
    shipping_address: order.shippingAddress,
    billing_address: order.billingAddress,
    shipping_method: order.shippingMethod,
    payment_method: order.paymentMethod,
    coupon_code: order.couponCode,
    note: order.note,
    currency: order.currency,
    items: items.map((item) => viewItem(item, order.currency)),
    ...viewAmounts(order),
    created_at: toTimestamp(order.createdAt),
    updated_at: toTimestamp(order.updatedAt),
    paid_at: toTimestampOrNull(order.paidAt),
    expires_at: toTimestampOrNull(order.expiresAt),
  }
}

function viewAmounts(order: Order) {
  const major = (minor: bigint) => toMajor(minor, order.currency)
  return {
    subtotal: major(order.subtotalMinor),
    discount_total: major(order.discountMinor),
    shipping_total: major(order.shippingMinor),
    tax_total: major(order.taxMinor),
    taxes: order.taxes.map((tax) => viewTaxPart({ ...tax, taxMinor: BigInt(tax.taxMinor) }, order.currency)),
    rounding_total: major(order.roundingMinor),
    total: major(order.totalMinor),
    voucher_total: major(order.voucherMinor),
    amount_captured: major(order.amountCapturedMinor),
    amount_refunded: major(order.amountRefundedMinor),
  }
}

const viewItem = (item: OrderItem, currency: string): Static<typeof OrderItemView> => ({
  id: item.id,
  product_id: item.productId,
  variant_id: item.variantId,
  name: item.name,
  sku: item.sku,
  option_values: item.optionValues,
  image_url: item.imageUrl,
  quantity: item.quantity,
  unit_price: toMajor(item.unitPriceMinor, currency),
  line_total: toMajor(item.lineTotalMinor, currency),
  discount_total: toMajor(item.discountMinor, currency),
  tax_total: toMajor(item.taxMinor, currency),
  refunded_quantity: item.refundedQuantity,
})

/** The views of orders in the given order, with one query for all items. */
export async function viewOrders(tx: StoreTx, orders: Order[]): Promise<OrderView[]> {
  const items = await OrderItem.in(tx)
    .whereIn(
      'order_id',
      orders.map(({ id }) => id),
    )
    .orderBy('position')
  const byOrder = Map.groupBy(items, (item) => item.orderId)
  return orders.map((order) => viewOrder(order, byOrder.get(order.id) ?? []))
}

/** The view of an order that exists. */
export async function loadOrderView(tx: StoreTx, orderId: string): Promise<OrderView> {
  return viewOrder(await findOrder(tx, orderId), await findOrderItems(tx, orderId))
}
