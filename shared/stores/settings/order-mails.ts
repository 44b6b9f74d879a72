import type { Static } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import { MailSwitch } from './mail-switch.ts'

/** The kinds of mails to buyers about their orders. */
export const ORDER_MAILS = ['placed', 'paid', 'payment_failed', 'shipped', 'refunded', 'canceled'] as const
export type OrderMail = (typeof ORDER_MAILS)[number]

/** Which mails buyers get about their orders. An omitted kind is sent. */
export const OrderMails = Shape({
  placed: MailSwitch('an order is placed; it shows the bank details of a bank transfer'),
  paid: MailSwitch('an order is paid'),
  payment_failed: MailSwitch('a payment failed or its time ran out; it links to the order'),
  shipped: MailSwitch('an order is shipped'),
  refunded: MailSwitch('an order is refunded in full or in part'),
  canceled: MailSwitch('an order is canceled'),
} satisfies Record<OrderMail, unknown>)
export type OrderMails = Static<typeof OrderMails>
