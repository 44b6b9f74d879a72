import { type Static, Type } from 'typebox'
import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatDate, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'
import { amountBlocks, ChargeAmount, totalText } from './amount-blocks.ts'
import { cancelBlocks, subscriptionButton, subscriptionFacts } from './blocks.ts'
import { SubscriptionMailData } from './subscription-mail.ts'
import { changedFacts, MailedTerms } from './terms.ts'

const StaffChangeData = Shape({
  ...SubscriptionMailData.properties,
  ...ChargeAmount,
  before: MailedTerms,
  after: MailedTerms,
  /** Whether staff withdrew a cancellation or ended a pause. */
  is_continued: Type.Boolean(),
  /** The date of the next charge; null if none is planned. */
  at: Nullable(Type.String()),
})
type StaffChangeData = Static<typeof StaffChangeData>

function changeBlocks(language: MailLanguage, data: StaffChangeData, site: Site): Block[] {
  const facts = changedFacts(language, data, site)
  return facts.length > 0 ? [{ facts }] : []
}

const NEXT = {
  en: {
    charge: (date: string, total: string) => `The next charge is on ${date}${total}.`,
    none: 'No charge is planned now.',
  },
  de: {
    charge: (date: string, total: string) => `Die nächste Abbuchung ist am ${date}${total}.`,
    none: 'Zurzeit ist keine Abbuchung geplant.',
  },
} as const satisfies Record<MailLanguage, unknown>

/** Returns the next charge, and how to cancel before it. */
function nextChargeBlocks(language: MailLanguage, data: StaffChangeData, site: Site): Block[] {
  const { charge, none } = NEXT[language]
  if (!data.at) return [none, ...subscriptionButton(language, data, site)]
  const date = formatDate(site, data.at)
  return [
    charge(date, totalText(data, site)),
    ...amountBlocks(language, data, site),
    ...cancelBlocks(language, data, site, date),
  ]
}

/**
 * Notifies a customer that staff changed or continued a subscription. A store cannot switch it off, because staff could
 * then raise or redirect what the customer's card pays unnoticed.
 */
export const subscriptionChangedMail = defineMail('subscription-changed', StaffChangeData, {
  en: (data, site) => ({
    subject: data.is_continued
      ? `Your subscription “${data.plan_name}” at ${site.name} continues`
      : `Your subscription “${data.plan_name}” at ${site.name} was changed`,
    blocks: [
      greeting('en', data),
      data.is_continued ? 'we have continued your subscription.' : 'we have changed your subscription.',
      ...changeBlocks('en', data, site),
      ...nextChargeBlocks('en', data, site),
      subscriptionFacts('en', data, site),
    ],
  }),
  de: (data, site) => ({
    subject: data.is_continued
      ? `Ihr Abonnement „${data.plan_name}“ bei ${site.name} wird fortgesetzt`
      : `Ihr Abonnement „${data.plan_name}“ bei ${site.name} wurde geändert`,
    blocks: [
      greeting('de', data),
      data.is_continued ? 'wir haben Ihr Abonnement fortgesetzt.' : 'wir haben Ihr Abonnement geändert.',
      ...changeBlocks('de', data, site),
      ...nextChargeBlocks('de', data, site),
      subscriptionFacts('de', data, site),
    ],
  }),
})
