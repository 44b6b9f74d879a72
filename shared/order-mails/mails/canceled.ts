import { defineMail } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import { orderBlocks, orderButton } from './blocks.ts'
import { OrderMailData } from './order-mail.ts'

/** Notifies a buyer that an order was canceled. */
export const orderCanceledMail = defineMail('order-canceled', OrderMailData, {
  en: (order, site) => ({
    subject: `Your order ${order.number} at ${site.name} is canceled`,
    blocks: [
      greeting('en', order),
      'your order is canceled. If you have paid for it, the money goes back the way it came.',
      ...orderBlocks('en', order, site),
      ...orderButton('en', order, site),
    ],
  }),
  de: (order, site) => ({
    subject: `Ihre Bestellung ${order.number} bei ${site.name} ist storniert`,
    blocks: [
      greeting('de', order),
      'Ihre Bestellung ist storniert. Falls Sie sie bezahlt haben, geht das Geld auf demselben Weg zurück.',
      ...orderBlocks('de', order, site),
      ...orderButton('de', order, site),
    ],
  }),
})
