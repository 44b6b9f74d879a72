import { Type } from 'typebox'
import { deviceBlock, deviceProperties } from '#shared/identity/mails/device.ts'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'

const PayoutChanged = Shape({ firstname: Type.String(), ...deviceProperties })

/** Notifies an affiliate of a change of their payout details, without the details. */
export const affiliatePayoutChangedMail = defineMail('affiliate-payout-changed', PayoutChanged, {
  en: ({ firstname, ...device }, site) => ({
    subject: `${site.name}: your payout details were changed`,
    blocks: [
      `Hello ${firstname},`,
      'The payout details of your affiliate account were changed. We pay your commissions there from now on.',
      deviceBlock('en', site, device),
      'If that was not you, change your password and write to us immediately.',
    ],
  }),
  de: ({ firstname, ...device }, site) => ({
    subject: `${site.name}: Ihre Auszahlungsdaten wurden geändert`,
    blocks: [
      `Guten Tag ${firstname},`,
      'Die Auszahlungsdaten Ihres Partnerkontos wurden geändert. Dorthin zahlen wir ab jetzt Ihre Provisionen.',
      deviceBlock('de', site, device),
      'Waren Sie das nicht, ändern Sie Ihr Passwort und schreiben Sie uns sofort.',
    ],
  }),
})
