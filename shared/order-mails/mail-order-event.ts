import { queueMail, toRecipient } from '#shared/mail/queue-mail.ts'
import {
  type MailDetails,
  toMailData,
  toMailedRefund,
  toMailedShipment,
} from '#shared/order-mails/mails/order-mail.ts'
import { issueAccessToken } from '#shared/orders/buyers/buyer.ts'
import { findInstructions } from '#shared/payment-methods/payment-method.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findEvent } from '#shared/platform/events/event-log.ts'
import type { OrderMail } from '#shared/stores/settings/order-mails.ts'
import { readStore, type Store } from '#shared/stores/store.ts'
import { listChargesOfOrder } from '#shared/subscriptions/charges/charges-of-order.ts'
import { chooseMail, type MailedOrder } from './choose-mail.ts'
import { claimMail } from './claim-mail.ts'

/**
 * Queues the mail to the buyer about an event of an order, in the order's language, unless the store has switched the
 * kind off. A repeat queues no second mail. A buyer gets at most 20 mails about an order per hour.
 */
export async function mailOrderEvent(tx: StoreTx, eventId: string): Promise<void> {
  const event = await findEvent(tx, eventId)
  if (!event) return
  const order = event.data as MailedOrder
  const store = await readStore(tx)
  const chosen = await chooseMail(tx, { type: event.type, order }, store.orderMails)
  if (!chosen || !(await claimMail(tx, { eventId, order, kind: chosen.kind }))) return
  const data = toMailData(order, await loadDetails(tx, store, order, chosen.kind))
  await queueMail(tx, chosen.mail, toRecipient(order), data)
}

async function loadDetails(
  tx: StoreTx,
  { defaultLanguage }: Store,
  order: MailedOrder,
  kind: OrderMail,
): Promise<MailDetails> {
  const { id, payment_method, language, refund, shipment } = order
  return {
    access_token: await issueAccessToken(tx, id),
    instructions:
      kind === 'placed' ? await findInstructions(tx, payment_method, [language, defaultLanguage]) : null,
    charges: await listChargesOfOrder(tx, id),
    refund: refund ? toMailedRefund(refund) : null,
    shipment: shipment ? toMailedShipment(order, shipment) : null,
  }
}
