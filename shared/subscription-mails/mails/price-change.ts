import { type Static, Type } from 'typebox'
import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatDate, formatMoney, type Site } from '#shared/mail/site.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { cancelBlocks, subscriptionButton, subscriptionFacts } from './blocks.ts'
import { SubscriptionMailData } from './subscription-mail.ts'

const PriceChangeData = Shape({
  ...SubscriptionMailData.properties,
  currency: Type.String(),
  /** The price of a unit, in major units of the currency. */
  old_price: Type.Number(),
  new_price: Type.Number(),
  /** The date of the first charge at the new price. */
  from: Type.String(),
})
type PriceChangeData = Static<typeof PriceChangeData>

const isRevoked = ({ old_price, new_price }: PriceChangeData): boolean => old_price === new_price

const WORDS = {
  en: { until: 'Price of a unit until now', from: 'Price of a unit from', price: 'Price of a unit' },
  de: { until: 'Preis je Stück bisher', from: 'Preis je Stück ab', price: 'Preis je Stück' },
} as const satisfies Record<MailLanguage, object>

function priceFacts(language: MailLanguage, data: PriceChangeData, site: Site): Block {
  const words = WORDS[language]
  const money = (amount: number) => formatMoney(site, amount, data.currency)
  if (isRevoked(data)) return { facts: [[words.price, money(data.new_price)]] }
  return {
    facts: [
      [words.until, money(data.old_price)],
      [`${words.from} ${formatDate(site, data.from)}`, money(data.new_price)],
    ],
  }
}

/** Announces the new price of a subscription, or revokes an announced price. */
export const priceChangeMail = defineMail('subscription-price-change', PriceChangeData, {
  en: (data, site) => ({
    subject: isRevoked(data)
      ? `The price of your subscription “${data.plan_name}” at ${site.name} stays as it is`
      : `New price of your subscription “${data.plan_name}” at ${site.name} from ${formatDate(site, data.from)}`,
    blocks: [
      greeting('en', data),
      ...(isRevoked(data)
        ? [
            'the new price that we announced does not apply. You pay as before.',
            priceFacts('en', data, site),
            ...subscriptionButton('en', data, site),
          ]
        : [
            `the price of your subscription changes. The charge of ${formatDate(site, data.from)} is the first one ` +
              'at the new price.',
            priceFacts('en', data, site),
            ...cancelBlocks('en', data, site, formatDate(site, data.from)),
          ]),
      subscriptionFacts('en', data, site),
    ],
  }),
  de: (data, site) => ({
    subject: isRevoked(data)
      ? `Der Preis Ihres Abonnements „${data.plan_name}“ bei ${site.name} bleibt gleich`
      : `Neuer Preis Ihres Abonnements „${data.plan_name}“ bei ${site.name} ab dem ${formatDate(site, data.from)}`,
    blocks: [
      greeting('de', data),
      ...(isRevoked(data)
        ? [
            'der angekündigte neue Preis gilt nicht. Sie zahlen wie bisher.',
            priceFacts('de', data, site),
            ...subscriptionButton('de', data, site),
          ]
        : [
            `der Preis Ihres Abonnements ändert sich. Die Abbuchung am ${formatDate(site, data.from)} ist die erste ` +
              'zum neuen Preis.',
            priceFacts('de', data, site),
            ...cancelBlocks('de', data, site, formatDate(site, data.from)),
          ]),
      subscriptionFacts('de', data, site),
    ],
  }),
})
