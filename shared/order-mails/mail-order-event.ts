import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueMail, toRecipient } from '#shared/mail/queue-mail.ts'
import { orderCanceledMail } from '#shared/order-mails/mails/canceled.ts'
import {
  type OrderMailData,
  toMailData,
  toMailedRefund,
  toMailedShipment,
} from '#shared/order-mails/mails/order-mail.ts'
import { orderPaidMail } from '#shared/order-mails/mails/paid.ts'
import { paymentFailedMail } from '#shared/order-mails/mails/payment-failed.ts'
import { orderPlacedMail } from '#shared/order-mails/mails/placed.ts'
import { orderRefundedMail } from '#shared/order-mails/mails/refunded.ts'
import { orderShippedMail } from '#shared/order-mails/mails/shipped.ts'
import { issueAccessToken } from '#shared/orders/buyers/buyer.ts'
import type { ShippedOrderView } from '#shared/orders/events.ts'
import type { OrderView } from '#shared/orders/view.ts'
import { findInstructions } from '#shared/payment-methods/payment-method.ts'
import { listPayments } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findEvent } from '#shared/platform/events/event-log.ts'
import { log } from '#shared/platform/log.ts'
import { consumeQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, now } from '#shared/platform/time/clock.ts'
import type { RefundedOrderView } from '#shared/refunds/events.ts'
import type { OrderMail, OrderMails } from '#shared/stores/settings/order-mails.ts'
import { readStore } from '#shared/stores/store.ts'
import { listChargesOfOrder } from '#shared/subscriptions/charges/charges-of-order.ts'

interface MailedEvent {
  kind: OrderMail
  mail: MailDefinition<typeof OrderMailData>
}

/** The mail of each event of an order. */
export const MAIL_OF_EVENT: Readonly<Record<string, MailedEvent>> = {
  'order.created': { kind: 'placed', mail: orderPlacedMail },
  'order.paid': { kind: 'paid', mail: orderPaidMail },
  'order.payment_failed': { kind: 'payment_failed', mail: paymentFailedMail },
  'order.shipment_created': { kind: 'shipped', mail: orderShippedMail },
  'order.refunded': { kind: 'refunded', mail: orderRefundedMail },
  'order.canceled': { kind: 'canceled', mail: orderCanceledMail },
}

// Limited, because an order can be shipped in a thousand parcels and refunded in a thousand parts.
const MAX_MAILS_PER_HOUR = 20

/**
 * Queues the mail to the buyer about an event of an order, in the order's language, unless the store has switched the
 * kind off. A repeat queues no second mail. A buyer gets at most 20 mails about an order per hour.
 */
export async function mailOrderEvent(tx: StoreTx, eventId: string): Promise<void> {
  const event = await findEvent(tx, eventId)
  const mailed = event && MAIL_OF_EVENT[event.type]
  if (!mailed) return
  const order = event.data as OrderView
  const { shipment, refund } = event.data as Partial<ShippedOrderView & RefundedOrderView>
  if (shipment?.is_notified === false) return
  // The buyer's bank took the money back; the store refunded nothing.
  if (refund?.origin === 'dispute') return
  // A free order that waited for a card has no payment to confirm.
  if (mailed.kind === 'paid' && order.total === 0) return
  const { orderMails, defaultLanguage } = await readStore(tx)
  if (orderMails[mailed.kind] === false) return
  if (await hasOtherMail(tx, order, mailed.kind, orderMails)) return
  const subject = `mails of order ${order.id}`
  if (await consumeQuotaIn(tx, subject, MAX_MAILS_PER_HOUR, HOUR_MS)) {
    log.warn(
      { orderId: order.id, eventId },
      'Mail not sent: the buyer got 20 mails about the order within an hour',
    )
    return
  }
  if (!(await claim(tx, eventId, order.id, mailed.kind))) return
  const data = toMailData(order, {
    access_token: await issueAccessToken(tx, order.id),
    instructions:
      mailed.kind === 'placed'
        ? await findInstructions(tx, order.payment_method, [order.language, defaultLanguage])
        : null,
    charges: await listChargesOfOrder(tx, order.id),
    refund: refund ? toMailedRefund(refund) : null,
    shipment: shipment ? toMailedShipment(order, shipment) : null,
  })
  await queueMail(tx, mailed.mail, toRecipient(order), data)
}

/**
 * Whether another mail tells the buyer the same. A later charge of a subscription is placed and paid immediately, so
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

/** Records that an event is mailed. Returns false if it was mailed before. */
async function claim(tx: StoreTx, eventId: string, orderId: string, kind: OrderMail): Promise<boolean> {
  const inserted = await tx
    .knex('order_mails')
    .insert({ store_id: tx.storeId, event_id: eventId, order_id: orderId, kind, queued_at: now() })
    .onConflict()
    .ignore()
    .returning('event_id')
  return inserted.length > 0
}

/** Returns the kinds of mails that were queued for an order, oldest first. */
export const listOrderMails = (
  tx: StoreTx,
  orderId: string,
): PromiseLike<{ kind: OrderMail; queuedAt: Date }[]> =>
  tx
    .knex('order_mails')
    .where({ store_id: tx.storeId, order_id: orderId })
    .orderBy('queued_at')
    .select('kind', 'queued_at as queuedAt')
