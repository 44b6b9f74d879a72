import { type Static, Type } from 'typebox'
import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatDate, formatMoney, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'
import { cancelBlocks, subscriptionFacts } from './blocks.ts'
import { SubscriptionMailData } from './subscription-mail.ts'

const Amount = Type.Number()

const Reminder = Shape({
  ...SubscriptionMailData.properties,
  ends_trial: Type.Boolean(),
  currency: Type.String(),
  prices_include_tax: Type.Boolean(),
  at: Type.String(),
  /** The amounts in major units; null if they cannot be calculated today. */
  amount: Nullable(Shape({ subtotal: Amount, shipping_total: Amount, tax_total: Amount, total: Amount })),
})
type Reminder = Static<typeof Reminder>

const WORDS = {
  en: { shipping: 'Shipping', tax: 'Tax', including: 'incl. tax', total: 'Total' },
  de: { shipping: 'Versand', tax: 'Steuer', including: 'inkl. Steuer', total: 'Gesamtbetrag' },
} as const satisfies Record<MailLanguage, object>

/** Returns the parts of the charge at today's prices. */
function amountBlocks(language: MailLanguage, data: Reminder, site: Site): Block[] {
  const { amount, currency, quantity, name, prices_include_tax } = data
  if (!amount) return []
  const words = WORDS[language]
  const money = (value: number) => formatMoney(site, value, currency)
  const tax = [prices_include_tax ? words.including : words.tax, money(amount.tax_total)] as const
  return [
    {
      lines: [{ name, quantity, amount: money(amount.subtotal) }],
      totals: [
        [words.shipping, money(amount.shipping_total)],
        ...(amount.tax_total === 0 ? [] : [tax]),
        [words.total, money(amount.total)],
      ],
    },
  ]
}

const total = ({ amount, currency }: Reminder, site: Site): string =>
  amount ? `: ${formatMoney(site, amount.total, currency)}` : ''

/** Reminds a customer of a yearly charge, or of the first one after a free trial. */
export const chargeReminderMail = defineMail('subscription-reminder', Reminder, {
  en: (data, site) => ({
    subject: data.ends_trial
      ? `The free trial of “${data.plan_name}” at ${site.name} ends on ${formatDate(site, data.at)}`
      : `Your subscription “${data.plan_name}” at ${site.name} is charged on ${formatDate(site, data.at)}`,
    blocks: [
      greeting('en', data),
      ...(data.ends_trial ? [`your free trial ends on ${formatDate(site, data.at)}.`] : []),
      `We charge your subscription on ${formatDate(site, data.at)}${total(data, site)}.`,
      ...amountBlocks('en', data, site),
      ...cancelBlocks('en', data, site, formatDate(site, data.at)),
      subscriptionFacts('en', data, site),
    ],
  }),
  de: (data, site) => ({
    subject: data.ends_trial
      ? `Ihr kostenloser Probezeitraum „${data.plan_name}“ bei ${site.name} endet am ${formatDate(site, data.at)}`
      : `Ihr Abonnement „${data.plan_name}“ bei ${site.name} wird am ${formatDate(site, data.at)} abgebucht`,
    blocks: [
      greeting('de', data),
      ...(data.ends_trial ? [`Ihr kostenloser Probezeitraum endet am ${formatDate(site, data.at)}.`] : []),
      `Wir buchen Ihr Abonnement am ${formatDate(site, data.at)} ab${total(data, site)}.`,
      ...amountBlocks('de', data, site),
      ...cancelBlocks('de', data, site, formatDate(site, data.at)),
      subscriptionFacts('de', data, site),
    ],
  }),
})
