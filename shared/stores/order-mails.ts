import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'

/** The kinds of mails to buyers about their orders. */
export const ORDER_MAILS = ['placed', 'paid', 'payment_failed', 'shipped', 'refunded', 'canceled'] as const
export type OrderMail = (typeof ORDER_MAILS)[number]

const Switch = (when: string) =>
  Type.Optional(Type.Boolean({ description: `Sent when ${when}. Default: true` }))

/** Which mails buyers get about their orders. An omitted kind is sent. */
export const OrderMails = Shape({
  placed: Switch('an order is placed; it shows the bank details of a bank transfer'),
  paid: Switch('an order is paid'),
  payment_failed: Switch('a payment failed or its time ran out; it links to the order'),
  shipped: Switch('an order is shipped'),
  refunded: Switch('an order is refunded in full or in part'),
  canceled: Switch('an order is canceled'),
} satisfies Record<OrderMail, unknown>)
export type OrderMails = Static<typeof OrderMails>
