import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import { paragraphs } from '#shared/mail/letter.ts'
import { orderButton } from '#shared/order-mails/mails/blocks.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'

const OrderNoteMail = Shape({
  order_id: Type.String(),
  access_token: Nullable(Type.String()),
  number: Type.String(),
  firstname: Type.String(),
  body: Type.String(),
})

/** Sends a note of staff about an order to its buyer. */
export const orderNoteMail = defineMail('order-note', OrderNoteMail, {
  en: (note, site) => ({
    subject: `A message about your order ${note.number} at ${site.name}`,
    blocks: [greeting('en', note), ...paragraphs(note.body), ...orderButton('en', note, site)],
  }),
  de: (note, site) => ({
    subject: `Eine Nachricht zu Ihrer Bestellung ${note.number} bei ${site.name}`,
    blocks: [greeting('de', note), ...paragraphs(note.body), ...orderButton('de', note, site)],
  }),
})
