import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatMoney, type Site } from '#shared/mail/site.ts'
import { orderBlocks, orderButton } from './blocks.ts'
import { OrderMailData } from './order-mail.ts'

/** Notifies a buyer of a refund and its amount. */
export const orderRefundedMail = defineMail('order-refunded', OrderMailData, {
  en: (order, site) => ({
    subject: `Refund for your order ${order.number} at ${site.name}`,
    blocks: [
      greeting('en', order),
      ...refundBlocks('en', order, site),
      ...orderBlocks('en', order, site),
      ...orderButton('en', order, site),
    ],
  }),
  de: (order, site) => ({
    subject: `Erstattung zu Ihrer Bestellung ${order.number} bei ${site.name}`,
    blocks: [
      greeting('de', order),
      ...refundBlocks('de', order, site),
      ...orderBlocks('de', order, site),
      ...orderButton('de', order, site),
    ],
  }),
})

const WORDS = {
  en: {
    refunded: (amount: string) => `we have refunded ${amount}.`,
    allByGateway: 'It goes back the way you paid; a bank may take some days.',
    byGateway: (amount: string) => `${amount} goes back the way you paid; a bank may take some days.`,
    toVoucher: (amount: string) => `${amount} is on your gift voucher again.`,
    reason: 'Reason',
  },
  de: {
    refunded: (amount: string) => `wir haben ${amount} erstattet.`,
    allByGateway:
      'Das Geld geht den Weg zurück, auf dem Sie bezahlt haben; eine Bank kann einige Tage brauchen.',
    byGateway: (amount: string) =>
      `${amount} gehen den Weg zurück, auf dem Sie bezahlt haben; eine Bank kann einige Tage brauchen.`,
    toVoucher: (amount: string) => `${amount} sind wieder auf Ihrem Geschenkgutschein.`,
    reason: 'Grund',
  },
} as const satisfies Record<MailLanguage, object>

/** Returns the refunded amount, the way in which each part is paid back, and the reason. */
function refundBlocks(language: MailLanguage, { refund, currency }: OrderMailData, site: Site): Block[] {
  if (!refund) return []
  const { amount, voucher_amount, is_by_gateway, reason } = refund
  const words = WORDS[language]
  const money = (major: number) => formatMoney(site, major, currency)
  const byGateway = voucher_amount > 0 ? words.byGateway(money(amount - voucher_amount)) : words.allByGateway
  const sentences = [
    words.refunded(money(amount)),
    ...(is_by_gateway ? [byGateway] : []),
    ...(voucher_amount > 0 ? [words.toVoucher(money(voucher_amount))] : []),
  ]
  return [sentences.join(' '), ...(reason ? [{ facts: [[words.reason, reason] as const] }] : [])]
}
