import { defineMail } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import { chargeBlocks, orderBlocks, orderButton } from './blocks.ts'
import { OrderMailData } from './order-mail.ts'

/** Confirms to a buyer that the payment of an order was received. */
export const orderPaidMail = defineMail('order-paid', OrderMailData, {
  en: (order, site) => ({
    subject: `Payment received for your order ${order.number} at ${site.name}`,
    blocks: [
      greeting('en', order),
      'we have received your payment.',
      ...chargeBlocks('en', order),
      ...orderBlocks('en', order, site),
      ...orderButton('en', order, site),
    ],
  }),
  de: (order, site) => ({
    subject: `Zahlung zu Ihrer Bestellung ${order.number} bei ${site.name} erhalten`,
    blocks: [
      greeting('de', order),
      'wir haben Ihre Zahlung erhalten.',
      ...chargeBlocks('de', order),
      ...orderBlocks('de', order, site),
      ...orderButton('de', order, site),
    ],
  }),
})
