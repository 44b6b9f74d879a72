import { defineMail } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import { paragraphs } from '#shared/mail/letter.ts'
import { chargeBlocks, orderBlocks, orderButton } from './blocks.ts'
import { OrderMailData } from './order-mail.ts'

/** Confirms to a buyer that an order was received, with the bank details of a bank transfer. */
export const orderPlacedMail = defineMail('order-placed', OrderMailData, {
  en: (order, site) => ({
    subject: `Your order ${order.number} at ${site.name}`,
    blocks: [
      greeting('en', order),
      'thank you for your order. We have received it with these goods:',
      ...chargeBlocks('en', order),
      ...orderBlocks('en', order, site),
      ...(order.instructions ? ['How to pay:', ...paragraphs(order.instructions)] : []),
      ...orderButton('en', order, site),
    ],
  }),
  de: (order, site) => ({
    subject: `Ihre Bestellung ${order.number} bei ${site.name}`,
    blocks: [
      greeting('de', order),
      'vielen Dank für Ihre Bestellung. Wir haben sie mit dieser Ware erhalten:',
      ...chargeBlocks('de', order),
      ...orderBlocks('de', order, site),
      ...(order.instructions ? ['So bezahlen Sie:', ...paragraphs(order.instructions)] : []),
      ...orderButton('de', order, site),
    ],
  }),
})
