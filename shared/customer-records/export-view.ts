import { type Static, Type } from 'typebox'
import { AffiliateView, CommissionEntryView, viewEntry } from '#shared/affiliates/view.ts'
import { CustomerAddressView, viewCustomerAddress } from '#shared/customers/customer-address.ts'
import { AdminCustomerView, viewAdminCustomer } from '#shared/customers/view.ts'
import { SecurityEventView, viewSecurityEvent } from '#shared/identity/security-event.ts'
import { OrderNoteView, viewNote } from '#shared/order-history/note.ts'
import { OrderView } from '#shared/orders/view.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { Money, Nullable, Shape, Timestamp, toText, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { AskedQuestionView, viewAskedQuestion } from '#shared/questions/view.ts'
import { RefundView, viewRefund } from '#shared/refunds/view.ts'
import { ReturnView } from '#shared/returns/view.ts'
import { SubscriptionView } from '#shared/subscriptions/view.ts'
import type { Voucher } from '#shared/vouchers/voucher.ts'
import type { CustomerExport } from './export-customer.ts'
import { ExportedCart, viewExportedCart } from './exported-cart.ts'
import { ListedSessionView, viewListedSession } from './view.ts'

const ExportedPayment = Shape({
  id: Uuid,
  order_id: Uuid,
  provider: Type.String(),
  status: Type.String(),
  amount: Money,
  currency: Type.String({ description: 'ISO 4217' }),
  created_at: Timestamp,
})

const ExportedCard = Shape({
  brand: Type.String(),
  last4: Type.String(),
  exp_month: Type.Integer(),
  exp_year: Type.Integer(),
  created_at: Timestamp,
})

const ExportedVoucher = Shape({
  id: Uuid,
  order_id: Nullable(Uuid),
  amount: Money,
  amount_remaining: Money,
  currency: Type.String({ description: 'ISO 4217' }),
  from_name: Type.String(),
  from_email: Type.String(),
  to_name: Type.String(),
  to_email: Type.String(),
  message: Type.String(),
  created_at: Timestamp,
})

const { id, code, status, website, company, commission_percent, payout, created_at } =
  AffiliateView.properties

const ExportedAffiliate = Shape({
  ...{ id, code, status, website, company, commission_percent, payout, created_at },
  entries: Type.Array(CommissionEntryView, { description: 'The ledger' }),
})

/** All data that the store holds of one customer (GDPR, articles 15 and 20). */
export const CustomerExportView = Shape({
  exported_at: Timestamp,
  customer: AdminCustomerView,
  addresses: Type.Array(CustomerAddressView),
  sessions: Type.Array(ListedSessionView, {
    description: 'Open sessions, and closed ones as long as they are stored',
  }),
  security_events: Type.Array(SecurityEventView),
  identity_links: Type.Array(Shape({ provider_id: Uuid, subject: Type.String(), created_at: Timestamp })),
  cart: Nullable(ExportedCart),
  orders: Type.Array(OrderView),
  order_notes: Type.Array(Shape({ order_id: Uuid, ...OrderNoteView.properties })),
  payments: Type.Array(ExportedPayment),
  saved_cards: Type.Array(ExportedCard, { description: 'Saved for later charges' }),
  refunds: Type.Array(RefundView),
  returns: Type.Array(ReturnView),
  subscriptions: Type.Array(SubscriptionView),
  vouchers: Type.Array(ExportedVoucher, { description: 'Bought, given and received, without their codes' }),
  affiliates: Type.Array(ExportedAffiliate, { description: 'Affiliate accounts, deleted ones too' }),
  questions: Type.Array(Shape({ ...AskedQuestionView.properties, product_id: Uuid })),
  wishlist: Type.Array(Shape({ product_id: Uuid, created_at: Timestamp })),
})

export const viewCustomerExport = (
  found: CustomerExport,
  currency: string,
): Static<typeof CustomerExportView> => ({
  exported_at: toTimestamp(found.exportedAt),
  customer: viewAdminCustomer(found.customer, currency),
  addresses: found.addresses.map(viewCustomerAddress),
  sessions: found.sessions.map(viewListedSession),
  security_events: found.securityEvents.map(viewSecurityEvent),
  identity_links: found.identityLinks.map(({ providerId, subject, createdAt }) => ({
    provider_id: providerId,
    subject,
    created_at: toTimestamp(createdAt),
  })),
  cart: found.cart && viewExportedCart(found.cart, currency),
  orders: found.orders,
  order_notes: found.orderNotes.map((note) => ({ order_id: note.orderId, ...viewNote(note) })),
  payments: found.payments.map(viewExportedPayment),
  saved_cards: found.savedCards.map(({ brand, last4, expMonth, expYear, createdAt }) => ({
    brand,
    last4,
    exp_month: expMonth,
    exp_year: expYear,
    created_at: toTimestamp(createdAt),
  })),
  refunds: found.refunds.map(viewRefund),
  returns: found.returns,
  subscriptions: found.subscriptions,
  vouchers: found.vouchers.map(viewExportedVoucher),
  questions: found.questions.map((question) => ({
    ...viewAskedQuestion(question),
    product_id: question.productId,
  })),
  affiliates: found.affiliates.map(viewExportedAffiliate),
  wishlist: found.wishlist.map(({ productId, createdAt }) => ({
    product_id: productId,
    created_at: toTimestamp(createdAt),
  })),
})

const viewExportedPayment = (payment: Payment): Static<typeof ExportedPayment> => ({
  id: payment.id,
  order_id: payment.orderId,
  provider: payment.provider,
  status: payment.status,
  amount: toMajor(payment.amountMinor, payment.currency),
  currency: payment.currency,
  created_at: toTimestamp(payment.createdAt),
})

const viewExportedVoucher = (voucher: Voucher): Static<typeof ExportedVoucher> => ({
  id: voucher.id,
  order_id: voucher.orderId,
  amount: toMajor(voucher.amountMinor, voucher.currency),
  amount_remaining: toMajor(voucher.remainingMinor, voucher.currency),
  currency: voucher.currency,
  from_name: voucher.fromName,
  from_email: voucher.fromEmail,
  to_name: voucher.toName,
  to_email: voucher.toEmail,
  message: voucher.message,
  created_at: toTimestamp(voucher.createdAt),
})

const viewExportedAffiliate = ({
  affiliate,
  payout,
  entries,
}: CustomerExport['affiliates'][number]): Static<typeof ExportedAffiliate> => ({
  id: affiliate.id,
  code: affiliate.code,
  status: affiliate.status,
  website: toText(affiliate.website),
  company: toText(affiliate.company),
  commission_percent: affiliate.commissionPercent === null ? null : affiliate.commissionPercent / 100,
  ...(payout === undefined ? {} : { payout }),
  created_at: toTimestamp(affiliate.createdAt),
  entries: entries.map(viewEntry),
})
