import { defineMail } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import { orderBlocks, orderButton } from './blocks.ts'
import { OrderMailData } from './order-mail.ts'

/** Notifies a buyer that a payment failed or expired, with a link to pay again. */
export const paymentFailedMail = defineMail('order-payment-failed', OrderMailData, {
  en: (order, site) => ({
    subject: `Payment failed for your order ${order.number} at ${site.name}`,
    blocks: [
      greeting('en', order),
      'your order is not paid: the payment failed, or its time ran out. Nothing was charged.',
      ...orderButton('en', order, site, 'Pay now'),
      ...orderBlocks('en', order, site),
    ],
  }),
  de: (order, site) => ({
    subject: `Zahlung zu Ihrer Bestellung ${order.number} bei ${site.name} fehlgeschlagen`,
    blocks: [
      greeting('de', order),
      'Ihre Bestellung ist nicht bezahlt: Die Zahlung ist fehlgeschlagen, oder ihre Zeit ist abgelaufen. Es wurde ' +
        'nichts abgebucht.',
      ...orderButton('de', order, site, 'Jetzt bezahlen'),
      ...orderBlocks('de', order, site),
    ],
  }),
})
