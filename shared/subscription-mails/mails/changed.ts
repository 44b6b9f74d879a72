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

const ChangeData = Shape({
  ...SubscriptionMailData.properties,
  ...ChargeAmount,
  before: MailedTerms,
  after: MailedTerms,
  /** Whether staff withdrew a cancellation or ended a pause. */
  is_continued: Type.Boolean(),
  is_own_change: Type.Boolean(),
  /** The date of the next charge; null if none is planned. */
  at: Nullable(Type.String()),
})
type ChangeData = Static<typeof ChangeData>

function changeBlocks(language: MailLanguage, data: ChangeData, site: Site): Block[] {
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
function nextChargeBlocks(language: MailLanguage, data: ChangeData, site: Site): Block[] {
  const { charge, none } = NEXT[language]
  if (!data.at) return [none, ...subscriptionButton(language, data, site)]
  const date = formatDate(site, data.at)
  return [
    charge(date, totalText(data, site)),
    ...amountBlocks(language, data, site),
    ...cancelBlocks(language, data, site, date),
  ]
}

const OPENING = {
  en: {
    own:
      'your subscription was changed in your account. If that was not you, set another password and answer this ' +
      'mail.',
    continued: 'we have continued your subscription.',
    changed: 'we have changed your subscription.',
  },
  de: {
    own:
      'Ihr Abonnement wurde in Ihrem Konto geändert. Waren Sie das nicht, dann setzen Sie ein anderes Passwort und ' +
      'antworten Sie auf diese E-Mail.',
    continued: 'wir haben Ihr Abonnement fortgesetzt.',
    changed: 'wir haben Ihr Abonnement geändert.',
  },
} as const satisfies Record<MailLanguage, unknown>

function openingOf(language: MailLanguage, { is_own_change, is_continued }: ChangeData): string {
  const { own, continued, changed } = OPENING[language]
  if (is_own_change) return own
  return is_continued ? continued : changed
}

/**
 * Notifies a customer that a subscription was changed, or that staff continued it. A store cannot switch it off:
 * without it, staff or the user of a stolen session could raise the charge or redirect the goods unnoticed.
 */
export const subscriptionChangedMail = defineMail('subscription-changed', ChangeData, {
  en: (data, site) => ({
    subject: data.is_continued
      ? `Your subscription “${data.plan_name}” at ${site.name} continues`
      : `Your subscription “${data.plan_name}” at ${site.name} was changed`,
    blocks: [
      greeting('en', data),
      openingOf('en', data),
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
      openingOf('de', data),
      ...changeBlocks('de', data, site),
      ...nextChargeBlocks('de', data, site),
      subscriptionFacts('de', data, site),
    ],
  }),
})
