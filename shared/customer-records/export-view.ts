import { type Static, Type } from 'typebox'
import { CustomerAddressView, viewCustomerAddress } from '#shared/customers/customer-address.ts'
import { adminCustomerProperties, viewAdminCustomer } from '#shared/customers/view.ts'
import { SecurityEventView, viewSecurityEvent } from '#shared/identity/security-event.ts'
import { OrderNoteView, viewOrderNote } from '#shared/order-history/order-note.ts'
import { OrderView } from '#shared/orders/view.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { AskedQuestionView, viewAskedQuestion } from '#shared/questions/view.ts'
import { RefundView, viewRefund } from '#shared/refunds/view.ts'
import { ReturnView } from '#shared/returns/view.ts'
import { SubscriptionView } from '#shared/subscriptions/view.ts'
import type { PersonalDataExport } from './export-personal-data.ts'
import { ExportedAffiliate, viewExportedAffiliate } from './exported-affiliate.ts'
import { ExportedCart, viewExportedCart } from './exported-cart.ts'
import { ExportedPayment, viewExportedPayment } from './exported-payment.ts'
import { ExportedVoucher, viewExportedVoucher } from './exported-voucher.ts'
import { ListedSessionView, viewListedSession } from './view.ts'

export const ExportedCard = Shape({
  brand: Type.String(),
  last4: Type.String(),
  exp_month: Type.Integer(),
  exp_year: Type.Integer(),
  created_at: Timestamp,
})

export const ExportedCustomer = Shape({
  ...adminCustomerProperties,
  note: Type.Optional({ ...adminCustomerProperties.note, description: 'Only in the export of staff' }),
})

/** All data that the store has of one customer (GDPR, articles 15 and 20). */
export const CustomerExportView = Shape({
  exported_at: Timestamp,
  customer: ExportedCustomer,
  addresses: Type.Array(CustomerAddressView),
  sessions: Type.Array(ListedSessionView, {
    description: 'Open sessions, and closed ones as long as they are stored',
  }),
  security_events: Type.Array(SecurityEventView),
  identity_links: Type.Array(Shape({ provider_id: Uuid, subject: Type.String(), created_at: Timestamp })),
  cart: Nullable(ExportedCart),
  orders: Type.Array(OrderView),
  order_notes: Type.Array(Shape({ order_id: Uuid, ...OrderNoteView.properties }), {
    description: 'Internal notes are only in the export of staff',
  }),
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
  found: PersonalDataExport,
  currency: string,
): Static<typeof CustomerExportView> => ({
  exported_at: toTimestamp(found.exportedAt),
  customer: viewExportedCustomer(found, currency),
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
  order_notes: found.orderNotes.map((note) => ({ order_id: note.orderId, ...viewOrderNote(note) })),
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

function viewExportedCustomer(
  { customer, seesInternalNotes }: PersonalDataExport,
  currency: string,
): Static<typeof ExportedCustomer> {
  const { note, ...view } = viewAdminCustomer(customer, currency)
  return seesInternalNotes ? { ...view, note } : view
}
