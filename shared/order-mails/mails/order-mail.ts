import { type Static, Type } from 'typebox'
import { AddressView } from '#shared/geo/address.ts'
import type { ShipmentView } from '#shared/orders/shipment-view.ts'
import type { OrderView } from '#shared/orders/view.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'
import type { RefundView } from '#shared/refunds/view.ts'
import { ChargeOfOrderView } from '#shared/subscriptions/charges/charges-of-order.ts'

const Amount = Type.Number()

/** The data of every mail about an order. Amounts are in major units. */
export const OrderMailData = Shape({
  order_id: Type.String(),
  access_token: Nullable(Type.String()),
  number: Type.String(),
  firstname: Type.String(),
  currency: Type.String(),
  lines: Type.Array(
    Shape({ name: Type.String(), detail: Type.String(), quantity: Type.Integer(), amount: Amount }),
  ),
  prices_include_tax: Type.Boolean(),
  subtotal: Amount,
  discount_total: Amount,
  shipping_total: Amount,
  rounding_total: Amount,
  taxes: Type.Array(Shape({ name: Type.String(), amount: Amount })),
  total: Amount,
  voucher_total: Amount,
  payment_method: Type.String(),
  /** The instructions for paying, e.g. the bank details. */
  instructions: Nullable(Type.String()),
  shipping_address: AddressView,
  shipping_method: Nullable(Type.String()),
  /** The charges of subscriptions that the order pays. */
  charges: Type.Array(ChargeOfOrderView),
  /** The refund, in a mail about one. The part on the voucher stays there as a balance. */
  refund: Nullable(
    Shape({ amount: Amount, voucher_amount: Amount, is_by_gateway: Type.Boolean(), reason: Type.String() }),
  ),
  /** The shipment, in a mail about one. */
  shipment: Nullable(
    Shape({
      carrier: Type.String(),
      tracking_number: Type.String(),
      tracking_url: Type.String(),
      goods: Type.Array(Shape({ name: Type.String(), quantity: Type.Integer() })),
    }),
  ),
})
export type OrderMailData = Static<typeof OrderMailData>

/** The contents of a mail besides the order itself. */
export type MailDetails = Pick<
  OrderMailData,
  'access_token' | 'instructions' | 'charges' | 'refund' | 'shipment'
>

/** Selects the data of a mail from the order of an event. */
export const toMailData = (order: OrderView, details: MailDetails): OrderMailData => ({
  order_id: order.id,
  number: order.number,
  firstname: order.firstname,
  currency: order.currency,
  lines: order.items.map(({ name, option_values, quantity, line_total }) => ({
    name,
    detail: Object.values(option_values).join(', '),
    quantity,
    amount: line_total,
  })),
  prices_include_tax: order.prices_include_tax,
  subtotal: order.subtotal,
  discount_total: order.discount_total,
  shipping_total: order.shipping_total,
  rounding_total: order.rounding_total,
  taxes: order.taxes.map(({ name, amount }) => ({ name, amount })),
  total: order.total,
  voucher_total: order.voucher_total,
  payment_method: order.payment_method,
  shipping_address: order.shipping_address,
  shipping_method: order.shipping_method?.name ?? null,
  ...details,
})

/** Selects the data of a mail about a refund. Staff may have paid it by other means than the buyer did. */
export const toMailedRefund = ({
  amount,
  voucher_amount,
  gateway_reference,
  reason,
}: RefundView): OrderMailData['refund'] => ({
  amount,
  voucher_amount,
  is_by_gateway: gateway_reference !== '',
  reason,
})

/** Selects the data of a mail about a shipment. */
export const toMailedShipment = (
  { items }: OrderView,
  { carrier, tracking_number, tracking_url, items: units }: ShipmentView,
): OrderMailData['shipment'] => ({
  carrier,
  tracking_number,
  tracking_url,
  goods: units.map(({ order_item_id, quantity }) => ({
    name: nameOf(items.find(({ id }) => id === order_item_id)),
    quantity,
  })),
})

/** Returns the name of a line with the options of its variant, e.g. "Mug (blue, large)". */
function nameOf(line: OrderView['items'][number] | undefined): string {
  if (!line) return ''
  const options = Object.values(line.option_values).join(', ')
  return options ? `${line.name} (${options})` : line.name
}
