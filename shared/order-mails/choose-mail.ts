import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { orderCanceledMail } from '#shared/order-mails/mails/canceled.ts'
import type { OrderMailData } from '#shared/order-mails/mails/order-mail.ts'
import { orderPaidMail } from '#shared/order-mails/mails/paid.ts'
import { paymentFailedMail } from '#shared/order-mails/mails/payment-failed.ts'
import { orderPlacedMail } from '#shared/order-mails/mails/placed.ts'
import { orderRefundedMail } from '#shared/order-mails/mails/refunded.ts'
import { orderShippedMail } from '#shared/order-mails/mails/shipped.ts'
import type { ShippedOrderView } from '#shared/orders/events.ts'
import type { OrderView } from '#shared/orders/view.ts'
import { listPayments } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { RefundedOrderView } from '#shared/refunds/events.ts'
import type { OrderMail, OrderMails } from '#shared/stores/settings/order-mails.ts'

interface ChosenMail {
  kind: OrderMail
  mail: MailDefinition<typeof OrderMailData>
}

const MAIL_OF_EVENT: Readonly<Record<string, ChosenMail>> = {
  'order.created': { kind: 'placed', mail: orderPlacedMail },
  'order.paid': { kind: 'paid', mail: orderPaidMail },
  'order.payment_failed': { kind: 'payment_failed', mail: paymentFailedMail },
  'order.shipment_created': { kind: 'shipped', mail: orderShippedMail },
  'order.refunded': { kind: 'refunded', mail: orderRefundedMail },
  'order.canceled': { kind: 'canceled', mail: orderCanceledMail },
}

/** The order of a mailed event, with its shipment or refund. */
export type MailedOrder = OrderView & Partial<ShippedOrderView & RefundedOrderView>

/** Returns the mail about an event of an order; undefined if the buyer gets none. */
export async function chooseMail(
  tx: StoreTx,
  { type, order }: { type: string; order: MailedOrder },
  settings: OrderMails,
): Promise<ChosenMail | undefined> {
  const chosen = MAIL_OF_EVENT[type]
  if (!chosen || settings[chosen.kind] === false) return undefined
  if (isSilent(chosen.kind, order) || (await hasOtherMail(tx, order, chosen.kind, settings))) return undefined
  return chosen
}

function isSilent(kind: OrderMail, { shipment, refund, total }: MailedOrder): boolean {
  if (shipment?.is_notified === false) return true
  // The buyer's bank took the money back; the store refunded nothing.
  if (refund?.origin === 'dispute') return true
  // A free order that waited for a card has no payment to confirm.
  return kind === 'paid' && total === 0
}

/**
 * Whether another mail says the same to the buyer. A later charge of a subscription is placed and paid immediately, so
 * one mail confirms both. If the charge of a saved card fails, the subscription's mail announces the next attempt.
 */
async function hasOtherMail(
  tx: StoreTx,
  { id, charge_no, status }: OrderView,
  kind: OrderMail,
  { paid }: OrderMails,
): Promise<boolean> {
  if (charge_no === null || charge_no === 1) return false
  if (kind === 'placed') return status === 'pending' && paid !== false
  if (kind !== 'payment_failed') return false
  const payments = await listPayments(tx, id)
  return payments.at(-1)?.cardUse === 'saved'
}
