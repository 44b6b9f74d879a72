import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import type { Block } from '#shared/mail/letter.ts'
import { orderBlocks, orderButton } from './blocks.ts'
import { OrderMailData } from './order-mail.ts'

/** Notifies a buyer of shipped goods, with their tracking. */
export const orderShippedMail = defineMail('order-shipped', OrderMailData, {
  en: (order, site) => ({
    subject: `Your order ${order.number} at ${site.name} is on its way`,
    blocks: [
      greeting('en', order),
      'we have handed these goods over for shipping:',
      ...shipmentBlocks('en', order),
      ...orderButton('en', order, site),
      'Your whole order:',
      ...orderBlocks('en', order, site),
    ],
  }),
  de: (order, site) => ({
    subject: `Ihre Bestellung ${order.number} bei ${site.name} ist unterwegs`,
    blocks: [
      greeting('de', order),
      'wir haben diese Ware dem Versand übergeben:',
      ...shipmentBlocks('de', order),
      ...orderButton('de', order, site),
      'Ihre ganze Bestellung:',
      ...orderBlocks('de', order, site),
    ],
  }),
})

const WORDS: Record<MailLanguage, { goods: string; carrier: string; number: string; track: string }> = {
  en: { goods: 'Goods', carrier: 'Carrier', number: 'Tracking number', track: 'Track your parcel' },
  de: { goods: 'Ware', carrier: 'Versanddienst', number: 'Sendungsnummer', track: 'Sendung verfolgen' },
}

function shipmentBlocks(language: MailLanguage, { shipment }: OrderMailData): Block[] {
  if (!shipment) return []
  const words = WORDS[language]
  const { carrier, tracking_number, tracking_url, goods } = shipment
  const facts = [
    [words.goods, goods.map(({ name, quantity }) => `${quantity} × ${name}`).join('\n')] as const,
    ...(carrier ? [[words.carrier, carrier] as const] : []),
    ...(tracking_number ? [[words.number, tracking_number] as const] : []),
  ]
  return [{ facts }, ...(tracking_url ? [{ label: words.track, url: tracking_url }] : [])]
}
