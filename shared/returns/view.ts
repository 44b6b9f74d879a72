import { type Static, Type } from 'typebox'
import type { Order } from '#shared/orders/order.ts'
import type { OrderItem } from '#shared/orders/order-item.ts'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { REFUND_STATUSES } from '#shared/refunds/states.ts'
import type { Return } from './return.ts'
import type { ReturnItem } from './return-item.ts'
import { DISPOSITIONS, RETURN_ACTIONS, RETURN_CONDITIONS, RETURN_REASONS, RETURN_STATUSES } from './states.ts'

export const ReturnItemView = Shape({
  id: Uuid,
  order_item_id: Uuid,
  product_id: Nullable(Uuid),
  variant_id: Nullable(Uuid),
  name: Type.String(),
  sku: Type.String(),
  quantity: Type.Integer(),
  reason: Type.Enum([...RETURN_REASONS]),
  condition: Nullable(Type.Enum([...RETURN_CONDITIONS])),
  note: Type.String(),
  disposition: Nullable(Type.Enum([...DISPOSITIONS], { description: 'Null before receipt' })),
})

export const ReturnRefundView = Shape({
  id: Uuid,
  amount: Money,
  status: Type.Enum([...REFUND_STATUSES]),
})

export const ReturnView = Shape({
  id: Uuid,
  number: Type.String(),
  status: Type.Enum([...RETURN_STATUSES]),
  action: Type.Enum([...RETURN_ACTIONS], { description: 'The compensation for the goods' }),
  order_id: Uuid,
  order_number: Type.String(),
  customer_id: Nullable(Uuid),
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
  comment: Type.String({ description: 'The comment of the request' }),
  message: Type.String({ description: 'The message to the buyer with the approval or rejection' }),
  metadata: {
    ...Metadata,
    description: 'Texts by key for the systems of the store. The buyer sees them too',
  },
  currency: CurrencyCode,
  items: Type.Array(ReturnItemView),
  refund: Nullable(ReturnRefundView),
  voucher_id: Nullable(Type.String({ ...Uuid, description: 'The voucher that credits the buyer' })),
  replacement_order_id: Nullable(
    Type.String({ ...Uuid, description: 'The order that sends the goods again' }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
  approved_at: Nullable(Timestamp),
  received_at: Nullable(Timestamp),
  restocked_at: Nullable(Timestamp),
  closed_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'The time at which it was completed, rejected or canceled',
    }),
  ),
})
export type ReturnView = Static<typeof ReturnView>

/** The rows that the views of returns need. */
export interface ReturnSources {
  orders: Map<string, Order>
  items: Map<string, ReturnItem[]>
  lines: Map<string, OrderItem>
  refunds: Map<string, Refund>
}

/** Returns a return as responses and return events show it. */
export function viewReturn(rma: Return, { orders, items, lines, refunds }: ReturnSources): ReturnView {
  const order = orders.get(rma.orderId) as Order
  const refund = refunds.get(rma.refundId ?? '')
  return {
    id: rma.id,
    number: rma.number,
    status: rma.status,
    action: rma.action,
    order_id: order.id,
    order_number: order.number,
    customer_id: rma.customerId,
    email: order.email,
    firstname: order.firstname,
    lastname: order.lastname,
    comment: toText(rma.comment),
    message: toText(rma.message),
    metadata: rma.metadata,
    currency: order.currency,
    items: (items.get(rma.id) ?? []).map((item) => viewItem(item, lines)),
    refund: refund ? viewReturnRefund(refund) : null,
    voucher_id: rma.voucherId,
    replacement_order_id: rma.replacementOrderId,
    created_at: toTimestamp(rma.createdAt),
    updated_at: toTimestamp(rma.updatedAt),
    approved_at: toTimestampOrNull(rma.approvedAt),
    received_at: toTimestampOrNull(rma.receivedAt),
    restocked_at: toTimestampOrNull(rma.restockedAt),
    closed_at: toTimestampOrNull(rma.closedAt),
  }
}

function viewItem(item: ReturnItem, lines: Map<string, OrderItem>): Static<typeof ReturnItemView> {
  const line = lines.get(item.orderItemId) as OrderItem
  return {
    id: item.id,
    order_item_id: line.id,
    product_id: line.productId,
    variant_id: line.variantId,
    name: line.name,
    sku: line.sku,
    quantity: item.quantity,
    reason: item.reason,
    condition: item.condition,
    note: toText(item.note),
    disposition: item.disposition,
  }
}

const viewReturnRefund = ({
  id,
  amountMinor,
  currency,
  status,
}: Refund): Static<typeof ReturnRefundView> => ({
  id,
  amount: toMajor(amountMinor, currency),
  status,
})
