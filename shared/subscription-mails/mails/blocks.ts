import type { MailLanguage } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatDate, type Site, subscriptionLink } from '#shared/mail/site.ts'
import { orderBlocks, orderButton } from '#shared/order-mails/mails/blocks.ts'
import { explainFailure } from './failure-reasons.ts'
import type { SubscriptionMailData } from './subscription-mail.ts'

const WORDS = {
  en: {
    subscription: 'Subscription',
    goods: 'Goods',
    charge: 'Charge',
    reason: 'Reason',
    card: 'Card',
    ending: 'ending in',
    next: 'Next charge',
    pay: 'Pay now',
    manage: 'Change the card or the subscription',
  },
  de: {
    subscription: 'Abonnement',
    goods: 'Ware',
    charge: 'Abbuchung',
    reason: 'Grund',
    card: 'Karte',
    ending: 'mit der Endung',
    next: 'Nächste Abbuchung',
    pay: 'Jetzt bezahlen',
    manage: 'Karte oder Abonnement ändern',
  },
} as const satisfies Record<MailLanguage, object>

/** Returns the facts of a subscription: its goods, card and next charge. */
export function subscriptionFacts(language: MailLanguage, data: SubscriptionMailData, site: Site): Block {
  const words = WORDS[language]
  const { plan_name, quantity, name, card, next_charge_at, failure } = data
  return {
    facts: [
      [words.subscription, plan_name],
      [words.goods, `${quantity} × ${name}`],
      ...(card ? [[words.card, `${card.brand} ${words.ending} ${card.last4}`] as const] : []),
      ...(next_charge_at && !failure ? [[words.next, formatDate(site, next_charge_at)] as const] : []),
    ],
  }
}

/** Returns the charge that failed, with its reason. */
export function failureFacts(language: MailLanguage, { failure }: SubscriptionMailData): Block[] {
  if (!failure) return []
  const { charge, reason } = WORDS[language]
  return [
    {
      facts: [
        [charge, String(failure.charge_no)],
        [reason, explainFailure(language, failure.reason)],
      ],
    },
  ]
}

/** Returns a button to pay the order of the failed charge. */
export const payButton = (language: MailLanguage, { failure }: SubscriptionMailData, site: Site): Block[] =>
  failure?.order ? orderButton(language, failure.order, site, WORDS[language].pay) : []

/** Returns the order of the failed charge. */
export const failedOrderBlocks = (
  language: MailLanguage,
  { failure }: SubscriptionMailData,
  site: Site,
): Block[] => (failure?.order ? orderBlocks(language, failure.order, site) : [])

/** Returns a button to the page on which the customer changes the card or cancels, if the store has that page. */
export function subscriptionButton(
  language: MailLanguage,
  { subscription_id }: Pick<SubscriptionMailData, 'subscription_id'>,
  site: Site,
): Block[] {
  const url = subscriptionLink(site, subscription_id)
  return url ? [{ label: WORDS[language].manage, url }] : []
}

const CANCEL = {
  en: {
    byPage: (date: string) =>
      `If you do not want that, cancel the subscription before ${date}: by the link below, or answer this mail.`,
    byAccount: (date: string) =>
      `If you do not want that, cancel the subscription before ${date}: sign in to your account with us, or answer ` +
      'this mail.',
  },
  de: {
    byPage: (date: string) =>
      `Wenn Sie das nicht möchten, kündigen Sie das Abonnement vor dem ${date}: über den Link unten oder mit einer ` +
      'Antwort auf diese E-Mail.',
    byAccount: (date: string) =>
      `Wenn Sie das nicht möchten, kündigen Sie das Abonnement vor dem ${date}: in Ihrem Konto bei uns oder mit ` +
      'einer Antwort auf diese E-Mail.',
  },
} as const satisfies Record<MailLanguage, unknown>

/** Returns a text on how to cancel before a date, with a button to the page if there is one. */
export function cancelBlocks(
  language: MailLanguage,
  data: Pick<SubscriptionMailData, 'subscription_id'>,
  site: Site,
  date: string,
): Block[] {
  const { byPage, byAccount } = CANCEL[language]
  const button = subscriptionButton(language, data, site)
  return [button.length > 0 ? byPage(date) : byAccount(date), ...button]
}
