import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { orderLink, type Site } from '#shared/mail/site.ts'
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
    blocks: [`Hello ${note.firstname},`, ...paragraphs(note.body), ...button('View your order', note, site)],
  }),
  de: (note, site) => ({
    subject: `Eine Nachricht zu Ihrer Bestellung ${note.number} bei ${site.name}`,
    blocks: [
      `Guten Tag ${note.firstname},`,
      ...paragraphs(note.body),
      ...button('Bestellung ansehen', note, site),
    ],
  }),
})

const paragraphs = (text: string): Block[] => text.split(/[\r\n]+/).filter((line) => line.trim())

function button(
  label: string,
  { order_id, access_token }: { order_id: string; access_token: string | null },
  site: Site,
): Block[] {
  const url = orderLink(site, order_id, access_token)
  return url ? [{ label, url }] : []
}
