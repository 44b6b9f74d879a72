import { defineMail, type MailDefinition, type MailLanguage } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import type { Letter } from '#shared/mail/letter.ts'
import { formatDate, type Site } from '#shared/mail/site.ts'
import { subscriptionButton, subscriptionFacts } from './blocks.ts'
import { SubscriptionMailData } from './subscription-mail.ts'

interface Texts {
  subject: string
  text: string
}

/** Defines a short mail: a sentence, the subscription, and a link to its page. */
function defineNotice(
  name: string,
  texts: Record<MailLanguage, (data: SubscriptionMailData, site: Site) => Texts>,
): MailDefinition<typeof SubscriptionMailData> {
  const write =
    (language: MailLanguage) =>
    (data: SubscriptionMailData, site: Site): Letter => {
      const { subject, text } = texts[language](data, site)
      const facts = subscriptionFacts(language, data, site)
      const button = subscriptionButton(language, data, site)
      return { subject, blocks: [greeting(language, data), text, facts, ...button] }
    }
  return defineMail(name, SubscriptionMailData, { en: write('en'), de: write('de') })
}

const title = {
  en: ({ plan_name }: SubscriptionMailData, site: Site) => `Your subscription “${plan_name}” at ${site.name}`,
  de: ({ plan_name }: SubscriptionMailData, site: Site) => `Ihr Abonnement „${plan_name}“ bei ${site.name}`,
}

const dateOfNext = ({ next_charge_at }: SubscriptionMailData, site: Site): string =>
  next_charge_at ? formatDate(site, next_charge_at) : ''

export const subscriptionPausedMail = defineNotice('subscription-paused', {
  en: (data, site) => ({
    subject: `${title.en(data, site)} is paused`,
    text: 'your subscription is paused. We charge and send nothing until it is resumed.',
  }),
  de: (data, site) => ({
    subject: `${title.de(data, site)} pausiert`,
    text: 'Ihr Abonnement pausiert. Wir buchen nichts ab und liefern nichts, bis es fortgesetzt wird.',
  }),
})

export const subscriptionResumedMail = defineNotice('subscription-resumed', {
  en: (data, site) => ({
    subject: `${title.en(data, site)} is resumed`,
    text:
      `your subscription is resumed. The next charge is on ${dateOfNext(data, site)}; the time of the pause is not ` +
      'charged.',
  }),
  de: (data, site) => ({
    subject: `${title.de(data, site)} läuft weiter`,
    text:
      `Ihr Abonnement läuft weiter. Die nächste Abbuchung ist am ${dateOfNext(data, site)}; für die Zeit der Pause ` +
      'wird nichts berechnet.',
  }),
})

export const cancellationScheduledMail = defineNotice('subscription-cancellation-scheduled', {
  en: (data, site) => ({
    subject: `${title.en(data, site)} is canceled for ${dateOfNext(data, site)}`,
    text:
      `we have received your cancellation. Your subscription ends on ${dateOfNext(data, site)} instead of being ` +
      'charged then. Nothing more is charged.',
  }),
  de: (data, site) => ({
    subject: `${title.de(data, site)} ist zum ${dateOfNext(data, site)} gekündigt`,
    text:
      `wir haben Ihre Kündigung erhalten. Ihr Abonnement endet am ${dateOfNext(data, site)}, an dem nichts mehr ` +
      'abgebucht wird. Auch vorher buchen wir nichts mehr ab.',
  }),
})

export const subscriptionCanceledMail = defineNotice('subscription-canceled', {
  en: (data, site) => ({
    subject: `${title.en(data, site)} is canceled`,
    text:
      'your subscription is canceled and has ended. Nothing more is charged. Orders that you have paid are still ' +
      'sent.',
  }),
  de: (data, site) => ({
    subject: `${title.de(data, site)} ist gekündigt`,
    text:
      'Ihr Abonnement ist gekündigt und beendet. Es wird nichts mehr abgebucht. Bezahlte Bestellungen liefern wir ' +
      'noch.',
  }),
})

export const subscriptionCompletedMail = defineNotice('subscription-completed', {
  en: (data, site) => ({
    subject: `${title.en(data, site)} is complete`,
    text: 'the last charge of your subscription is paid. It ends with that order, and nothing more is charged.',
  }),
  de: (data, site) => ({
    subject: `${title.de(data, site)} ist abgeschlossen`,
    text:
      'die letzte Abbuchung Ihres Abonnements ist bezahlt. Mit dieser Bestellung endet es, und es wird nichts mehr ' +
      'abgebucht.',
  }),
})

export const cardChangedMail = defineNotice('subscription-card-changed', {
  en: (data, site) => ({
    subject: `${title.en(data, site)} has another card`,
    text: 'your subscription is charged to another card from now on. If you did not change it, answer this mail.',
  }),
  de: (data, site) => ({
    subject: `${title.de(data, site)} hat eine andere Karte`,
    text:
      'Ihr Abonnement wird ab jetzt von einer anderen Karte abgebucht. Wenn Sie das nicht geändert haben, antworten ' +
      'Sie auf diese E-Mail.',
  }),
})
