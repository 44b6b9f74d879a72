import { defineMail } from '#shared/mail/define-mail.ts'
import { greeting, orderBlocks, orderButton } from '../blocks.ts'
import { OrderMailData } from '../order-mail.ts'

/** Tells a buyer that an order was shipped. */
export const orderShippedMail = defineMail('order-shipped', OrderMailData, {
  en: (order, site) => ({
    subject: `Your order ${order.number} at ${site.name} is on its way`,
    blocks: [
      greeting('en', order),
      'we have handed your order over for shipping.',
      ...orderButton('en', order, site),
      ...orderBlocks('en', order, site),
    ],
  }),
  de: (order, site) => ({
    subject: `Ihre Bestellung ${order.number} bei ${site.name} ist unterwegs`,
    blocks: [
      greeting('de', order),
      'wir haben Ihre Bestellung dem Versand übergeben.',
      ...orderButton('de', order, site),
      ...orderBlocks('de', order, site),
    ],
  }),
})
