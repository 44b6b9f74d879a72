import { findCustomer } from '#shared/customers/customer.ts'
import type { MailDefinition } from '#shared/mail/define-mail.ts'
import { queueMail, queueNotice } from '#shared/mail/queue-mail.ts'
import { type OrderMailData, toMailData as toOrderMailData } from '#shared/order-mails/mails/order-mail.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findEvent } from '#shared/platform/events/event-log.ts'
import type { SubscriptionMail } from '#shared/stores/settings/subscription-mails.ts'
import { readStore } from '#shared/stores/store.ts'
import { chargeFailedMail } from '#shared/subscription-mails/mails/charge-failed.ts'
import {
  cancellationScheduledMail,
  cardChangedMail,
  subscriptionCanceledMail,
  subscriptionCompletedMail,
  subscriptionPausedMail,
  subscriptionResumedMail,
} from '#shared/subscription-mails/mails/notices.ts'
import { type SubscriptionMailData, toMailData } from '#shared/subscription-mails/mails/subscription-mail.ts'
import { subscriptionSuspendedMail } from '#shared/subscription-mails/mails/suspended.ts'
import { findSubscription } from '#shared/subscriptions/subscription.ts'
import type { SubscriptionView } from '#shared/subscriptions/view.ts'
import { claimEventMail } from './claim-event-mail.ts'

interface MailedEvent {
  kind: SubscriptionMail
  mail: MailDefinition<typeof SubscriptionMailData>
}

/** The mail of each event of a subscription. */
const MAIL_OF_EVENT: Readonly<Record<string, MailedEvent>> = {
  'subscription.payment_failed': { kind: 'payment_failed', mail: chargeFailedMail },
  'subscription.suspended': { kind: 'suspended', mail: subscriptionSuspendedMail },
  'subscription.paused': { kind: 'paused', mail: subscriptionPausedMail },
  'subscription.resumed': { kind: 'resumed', mail: subscriptionResumedMail },
  'subscription.cancellation_scheduled': { kind: 'canceled', mail: cancellationScheduledMail },
  'subscription.canceled': { kind: 'canceled', mail: subscriptionCanceledMail },
  'subscription.completed': { kind: 'completed', mail: subscriptionCompletedMail },
  'subscription.card_changed': { kind: 'card_changed', mail: cardChangedMail },
}

const REPEATABLE: ReadonlySet<SubscriptionMail> = new Set(['paused', 'resumed', 'card_changed'])

/**
 * Queues the mail to the customer about an event of a subscription, in the subscription's language, unless the store
 * has switched the kind off. A repeat queues no second mail. The last failure has no mail of its own, because the mail
 * about the suspension contains it.
 */
export async function mailSubscriptionEvent(tx: StoreTx, eventId: string): Promise<void> {
  const event = await findEvent(tx, eventId)
  const mailed = event && MAIL_OF_EVENT[event.type]
  if (!mailed) return
  const view = event.data as SubscriptionView
  if (mailed.kind === 'payment_failed' && !view.failed_charge?.next_attempt_at) return
  const { subscriptionMails } = await readStore(tx)
  if (subscriptionMails[mailed.kind] === false) return
  if (!(await claimEventMail(tx, { eventId, subscriptionId: view.id, kind: mailed.kind }))) return
  const { firstname, language } = await findSubscription(tx, view.id)
  const { email } = await findCustomer(tx, view.customer_id)
  const data = toMailData(view, { firstname, order: await findFailedOrder(tx, view) })
  // Limit these mails, because a customer can pause, resume and change the card without a limit.
  const queue = REPEATABLE.has(mailed.kind) ? queueNotice : queueMail
  await queue(tx, mailed.mail, { recordId: view.id, email, language }, data)
}

/** Returns the order of a failed charge. It has no access token, because customers sign in. */
async function findFailedOrder(
  tx: StoreTx,
  { failed_charge }: SubscriptionView,
): Promise<OrderMailData | null> {
  if (!failed_charge?.order_id) return null
  const order = await loadOrderView(tx, failed_charge.order_id)
  return toOrderMailData(order, {
    access_token: null,
    instructions: null,
    refund: null,
    shipment: null,
    charges: [],
  })
}
