import type { Static } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import { MailSwitch } from './mail-switch.ts'

/** The kinds of mails to customers about their subscriptions. */
export const SUBSCRIPTION_MAILS = [
  'payment_failed',
  'suspended',
  'paused',
  'resumed',
  'canceled',
  'completed',
  'card_changed',
  'reminder',
] as const
export type SubscriptionMail = (typeof SUBSCRIPTION_MAILS)[number]

/** Which mails customers get about their subscriptions. An omitted kind is sent. */
export const SubscriptionMails = Shape({
  payment_failed: MailSwitch(
    'a charge failed and is tried again; it links to the order and to the subscription. The mail about the failed ' +
      'payment of the order is not sent then',
  ),
  suspended: MailSwitch('the last attempt to charge a subscription failed'),
  paused: MailSwitch('a subscription is paused'),
  resumed: MailSwitch('the customer resumes a paused subscription'),
  canceled: MailSwitch('a subscription is canceled, immediately or for the end of its period'),
  completed: MailSwitch('the last charge of a subscription is paid'),
  card_changed: MailSwitch('another card takes the place of the one that a subscription charges'),
  reminder: MailSwitch('a yearly charge is 7 days ahead, or a free trial ends in 3 days'),
} satisfies Record<SubscriptionMail, unknown>)
export type SubscriptionMails = Static<typeof SubscriptionMails>
