import { Type } from 'typebox'
import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'

type Decision = 'approved' | 'rejected' | 'suspended'

const Decided = Shape({ firstname: Type.String(), code: Type.String(), status: Type.String() })

const TEXTS: Record<MailLanguage, Record<Decision, string>> = {
  en: {
    approved: 'You are an affiliate now: you earn a commission on orders that come by your links.',
    rejected: 'We have decided not to accept your application.',
    suspended: 'Your links earn no commission until we contact you. What you have earned stays yours.',
  },
  de: {
    approved: 'Sie sind jetzt Partner: Für Bestellungen über Ihre Links erhalten Sie eine Provision.',
    rejected: 'Wir haben entschieden, Ihre Bewerbung nicht anzunehmen.',
    suspended:
      'Ihre Links bringen keine Provision, bis wir uns melden. Was Sie verdient haben, bleibt Ihnen.',
  },
}

const textOf = (language: MailLanguage, status: string): string =>
  TEXTS[language][status as Decision] ?? TEXTS[language].approved

/** Notifies an affiliate of the store's decision. */
export const affiliateDecidedMail = defineMail('affiliate-decided', Decided, {
  en: ({ firstname, code, status }, site) => ({
    subject: `${site.name}: your affiliate account`,
    blocks: [`Hello ${firstname},`, textOf('en', status), { facts: [['The code of your links', code]] }],
  }),
  de: ({ firstname, code, status }, site) => ({
    subject: `${site.name}: Ihr Partnerkonto`,
    blocks: [`Guten Tag ${firstname},`, textOf('de', status), { facts: [['Der Code Ihrer Links', code]] }],
  }),
})
