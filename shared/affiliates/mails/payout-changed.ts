import { type Static, Type } from 'typebox'
import { deviceBlock, deviceProperties, timeBlock } from '#shared/identity/mails/device.ts'
import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import type { Site } from '#shared/mail/site.ts'
import { Shape } from '#shared/platform/http/schema.ts'

const PayoutChanged = Shape({
  firstname: Type.String(),
  /** Staff made the change. The device is null. */
  is_by_staff: Type.Boolean(),
  is_removed: Type.Boolean(),
  ...deviceProperties,
})

/** Returns the facts about a change: its time, and the device unless it is one of staff. */
const changeBlock = (
  language: MailLanguage,
  site: Site,
  { is_by_staff, ...device }: Omit<Static<typeof PayoutChanged>, 'firstname' | 'is_removed'>,
): Block => (is_by_staff ? timeBlock(language, site, device) : deviceBlock(language, site, device))

/** Notifies an affiliate of a change of their payout details, without the details. */
export const affiliatePayoutChangedMail = defineMail('affiliate-payout-changed', PayoutChanged, {
  en: ({ firstname, is_removed, ...change }, site) => ({
    subject: `${site.name}: your payout details were changed`,
    blocks: [
      `Hello ${firstname},`,
      change.is_by_staff
        ? 'We changed the payout details of your affiliate account.'
        : 'The payout details of your affiliate account were changed.',
      is_removed
        ? 'There are none now: enter them in your account, so that we can pay your commissions.'
        : 'We pay your commissions there from now on.',
      changeBlock('en', site, change),
      change.is_by_staff
        ? 'Look at them in your account. If you did not expect that, write to us immediately.'
        : 'If that was not you, change your password and write to us immediately.',
    ],
  }),
  de: ({ firstname, is_removed, ...change }, site) => ({
    subject: `${site.name}: Ihre Auszahlungsdaten wurden geändert`,
    blocks: [
      `Guten Tag ${firstname},`,
      change.is_by_staff
        ? 'Wir haben die Auszahlungsdaten Ihres Partnerkontos geändert.'
        : 'Die Auszahlungsdaten Ihres Partnerkontos wurden geändert.',
      is_removed
        ? 'Es gibt jetzt keine: Tragen Sie sie in Ihrem Konto ein, damit wir Ihre Provisionen zahlen können.'
        : 'Dorthin zahlen wir ab jetzt Ihre Provisionen.',
      changeBlock('de', site, change),
      change.is_by_staff
        ? 'Sehen Sie sie in Ihrem Konto nach. Haben Sie das nicht erwartet, schreiben Sie uns sofort.'
        : 'Waren Sie das nicht, ändern Sie Ihr Passwort und schreiben Sie uns sofort.',
    ],
  }),
})
