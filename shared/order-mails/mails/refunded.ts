import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatMoney, type Site } from '#shared/mail/site.ts'
import { greeting, orderBlocks, orderButton } from '../blocks.ts'
import { OrderMailData } from '../order-mail.ts'

/** Notifies a buyer of a refund and its amount. */
export const orderRefundedMail = defineMail('order-refunded', OrderMailData, {
  en: (order, site) => ({
    subject: `Refund for your order ${order.number} at ${site.name}`,
    blocks: [
      greeting('en', order),
      `we have refunded ${amountOf(order, site)}. It goes back the way you paid; a bank may take some days.`,
      ...reasonOf('en', order),
      ...orderBlocks('en', order, site),
      ...orderButton('en', order, site),
    ],
  }),
  de: (order, site) => ({
    subject: `Erstattung zu Ihrer Bestellung ${order.number} bei ${site.name}`,
    blocks: [
      greeting('de', order),
      `wir haben ${amountOf(order, site)} erstattet. Das Geld geht den Weg zurück, auf dem Sie bezahlt haben; eine Bank kann einige Tage brauchen.`,
      ...reasonOf('de', order),
      ...orderBlocks('de', order, site),
      ...orderButton('de', order, site),
    ],
  }),
})

const amountOf = ({ refunded, currency }: OrderMailData, site: Site): string =>
  formatMoney(site, refunded ?? 0, currency)

const LABEL: Record<MailLanguage, string> = { en: 'Reason', de: 'Grund' }

const reasonOf = (language: MailLanguage, { reason }: OrderMailData): Block[] =>
  reason ? [{ facts: [[LABEL[language], reason]] }] : []
