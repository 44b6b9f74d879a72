import { type Static, Type } from 'typebox'
import { AddressView } from '#shared/geo/address.ts'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import {
  CurrencyCode,
  Money,
  MoneyDifference,
  Nullable,
  Shape,
  Timestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { PricesIncludeTax, TaxPartView, viewTaxPart } from '#shared/tax/view.ts'
import { OrderItemView, viewItem } from './item-view.ts'
import type { Order } from './order.ts'
import type { OrderItem } from './order-item.ts'
import type { ShipmentWithUnits } from './shipment.ts'
import { ShipmentView, viewShipment } from './shipment-view.ts'
import { FULFILLMENT_STATUSES, ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from './states.ts'

/** The shipping method as it was when the order was placed. */
export const OrderShippingMethodView = Shape({ id: Uuid, code: Type.String(), name: Type.String() })

export const OrderView = Shape({
  id: Uuid,
  number: Type.String(),
  status: Type.Enum([...ORDER_STATUSES]),
  payment_status: Type.Enum([...ORDER_PAYMENT_STATUSES]),
  fulfillment_status: Type.Enum([...FULFILLMENT_STATUSES]),
  customer_id: Nullable(Uuid),
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
  telephone: Type.String(),
  language: Type.String({ description: 'BCP 47; the language of mails to the buyer' }),
  shipping_address: AddressView,
  billing_address: AddressView,
  shipping_method: Nullable(OrderShippingMethodView),
  payment_method: Type.String(),
  subscription_id: {
    ...Nullable(Uuid),
    description: 'The subscription that the order is a charge of; of several that it started, the first one',
  },
  charge_no: Nullable(Type.Integer({ minimum: 1, description: 'The number of the charge' })),
  campaign_id: { ...Nullable(Uuid), description: 'The campaign whose link led to the order' },
  affiliate_id: { ...Nullable(Uuid), description: 'The affiliate whose link led to the order' },
  coupon_code: Type.String(),
  note: Type.String(),
  metadata: {
    ...Metadata,
    description: 'Texts by key for the systems of the store. The buyer sees them too',
  },
  currency: CurrencyCode,
  items: Type.Array(OrderItemView),
  shipments: Type.Array(ShipmentView),
  prices_include_tax: PricesIncludeTax,
  subtotal: Money,
  discount_total: Money,
  shipping_total: Money,
  shipping_tax_total: { ...Money, description: 'The tax on shipping, a part of `tax_total`' },
  tax_total: Money,
  taxes: Type.Array(TaxPartView, { description: 'The tax of each rate; their sum is the tax' }),
  rounding_total: Type.Number({
    ...MoneyDifference,
    description:
      'The rounding of the part that a card pays, e.g. to 0.01 KWD. May be negative; 0 for other payment methods. ' +
      'The total is subtotal - discount + shipping + rounding, and + tax unless prices include it',
  }),
  net_total: { ...Money, description: '`total` less `tax_total`' },
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

/** The lines and shipments of an order. */
export interface OrderParts {
  items: OrderItem[]
  shipments: ShipmentWithUnits[]
}

/** Derived, never stored. */
function fulfillmentStatusOf(
  { shippedAt }: Order,
  items: OrderItem[],
): (typeof FULFILLMENT_STATUSES)[number] {
  if (shippedAt) return 'fulfilled'
  return items.some(({ shippedQuantity }) => shippedQuantity > 0) ? 'partially_fulfilled' : 'unfulfilled'
}

/** Returns an order as responses and order events show it. */
export function viewOrder(order: Order, { items, shipments }: OrderParts): OrderView {
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    payment_status: order.paymentStatus,
    fulfillment_status: fulfillmentStatusOf(order, items),
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
    subscription_id: order.subscriptionId,
    charge_no: order.chargeNo,
    campaign_id: order.campaignId,
    affiliate_id: order.affiliateId,
    coupon_code: toText(order.couponCode),
    note: toText(order.note),
    metadata: order.metadata,
    currency: order.currency,
    items: items.map((item) => viewItem(item, order.currency)),
    shipments: shipments.map(viewShipment),
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
    prices_include_tax: order.pricesIncludeTax,
    subtotal: major(order.subtotalMinor),
    discount_total: major(order.discountMinor),
    shipping_total: major(order.shippingMinor),
    shipping_tax_total: major(order.shippingTaxMinor),
    tax_total: major(order.taxMinor),
    taxes: order.taxes.map(({ taxMinor, netMinor, ...tax }) =>
      viewTaxPart({ ...tax, taxMinor: BigInt(taxMinor), netMinor: BigInt(netMinor) }, order.currency),
    ),
    rounding_total: major(order.roundingMinor),
    net_total: major(order.totalMinor - order.taxMinor),
    total: major(order.totalMinor),
    voucher_total: major(order.voucherMinor),
    amount_captured: major(order.amountCapturedMinor),
    amount_refunded: major(order.amountRefundedMinor),
  }
}
