import { type Static, Type } from 'typebox'
import { CustomerAddressView, viewCustomerAddress } from '#shared/customers/customer-address.ts'
import { adminCustomerProperties, viewAdminCustomer } from '#shared/customers/view.ts'
import { type Session, SessionView, viewSession } from '#shared/identity/sessions/session.ts'
import type { Order } from '#shared/orders/order.ts'
import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '#shared/orders/states.ts'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Return } from '#shared/returns/return.ts'
import { RETURN_STATUSES } from '#shared/returns/states.ts'
import { SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import type { Voucher } from '#shared/vouchers/voucher.ts'
import type { CustomerRecord } from './read-record.ts'

const { current: _, ...sessionProperties } = SessionView.properties

/** A session of another account, without the mark of the current session. */
export const ListedSessionView = Shape(sessionProperties)

export function viewListedSession(session: Session): Static<typeof ListedSessionView> {
  const { current: _, ...view } = viewSession(session, '')
  return view
}

export const OrderSummary = Shape({
  id: Uuid,
  number: Type.String(),
  status: Type.Enum([...ORDER_STATUSES]),
  payment_status: Type.Enum([...ORDER_PAYMENT_STATUSES]),
  total: Money,
  currency: CurrencyCode,
  created_at: Timestamp,
})

export const ReturnSummary = Shape({
  id: Uuid,
  number: Type.String(),
  status: Type.Enum([...RETURN_STATUSES]),
  order_id: Uuid,
  created_at: Timestamp,
})

export const SubscriptionSummary = Shape({
  id: Uuid,
  status: Type.Enum([...SUBSCRIPTION_STATUSES]),
  sku: Type.String(),
  quantity: Type.Integer(),
  unit_price: Money,
  currency: CurrencyCode,
  next_charge_at: Nullable(Timestamp),
  created_at: Timestamp,
})

export const VoucherSummary = Shape({
  id: Uuid,
  order_id: Nullable(Uuid),
  amount: Money,
  amount_remaining: Money,
  currency: CurrencyCode,
  is_active: Type.Boolean(),
  created_at: Timestamp,
})

const WITH_SALES = 'Absent without the right `sales:read`'

/** A customer with all their records in the store. */
export const CustomerRecordView = Shape({
  ...adminCustomerProperties,
  addresses: Type.Array(CustomerAddressView),
  sessions: Type.Array(ListedSessionView, { description: 'Open sessions, the last used first' }),
  latest_orders: Type.Optional(Type.Array(OrderSummary, { description: WITH_SALES })),
  latest_returns: Type.Optional(Type.Array(ReturnSummary, { description: WITH_SALES })),
  latest_subscriptions: Type.Optional(Type.Array(SubscriptionSummary, { description: WITH_SALES })),
  latest_vouchers: Type.Optional(
    Type.Array(VoucherSummary, {
      description: `Gift vouchers of the orders, without their codes. ${WITH_SALES}`,
    }),
  ),
  wishlist_size: Type.Integer(),
})

export const viewCustomerRecord = (
  record: CustomerRecord,
  currency: string,
): Static<typeof CustomerRecordView> => ({
  ...viewAdminCustomer(record.customer, currency),
  addresses: record.addresses.map(viewCustomerAddress),
  sessions: record.sessions.map(viewListedSession),
  ...(record.sales && {
    latest_orders: record.sales.orders.map(viewOrderSummary),
    latest_returns: record.sales.returns.map(viewReturnSummary),
    latest_subscriptions: record.sales.subscriptions.map(viewSubscriptionSummary),
    latest_vouchers: record.sales.vouchers.map(viewVoucherSummary),
  }),
  wishlist_size: record.wishlistSize,
})

const viewOrderSummary = (order: Order): Static<typeof OrderSummary> => ({
  id: order.id,
  number: order.number,
  status: order.status,
  payment_status: order.paymentStatus,
  total: toMajor(order.totalMinor, order.currency),
  currency: order.currency,
  created_at: toTimestamp(order.createdAt),
})

const viewReturnSummary = (rma: Return): Static<typeof ReturnSummary> => ({
  id: rma.id,
  number: rma.number,
  status: rma.status,
  order_id: rma.orderId,
  created_at: toTimestamp(rma.createdAt),
})

const viewSubscriptionSummary = (subscription: Subscription): Static<typeof SubscriptionSummary> => ({
  id: subscription.id,
  status: subscription.status,
  sku: subscription.sku,
  quantity: subscription.quantity,
  unit_price: toMajor(subscription.unitPriceMinor, subscription.currency),
  currency: subscription.currency,
  next_charge_at: toTimestampOrNull(subscription.nextChargeAt),
  created_at: toTimestamp(subscription.createdAt),
})

const viewVoucherSummary = (voucher: Voucher): Static<typeof VoucherSummary> => ({
  id: voucher.id,
  order_id: voucher.orderId,
  amount: toMajor(voucher.amountMinor, voucher.currency),
  amount_remaining: toMajor(voucher.remainingMinor, voucher.currency),
  currency: voucher.currency,
  is_active: voucher.isActive,
  created_at: toTimestamp(voucher.createdAt),
})
