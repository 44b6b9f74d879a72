import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { deviceBlock, deviceProperties } from './device.ts'

/** Notifies of a changed password, after a change as well as a reset. */
export const passwordChangedMail = defineMail('password-changed', Shape(deviceProperties), {
  en: (data, site) => ({
    subject: `Your password at ${site.name} was changed`,
    blocks: [
      `The password of your account at ${site.name} was changed, and its other sessions were closed.`,
      deviceBlock('en', site, data),
      'If that was not you, ask for a new password immediately.',
    ],
  }),
  de: (data, site) => ({
    subject: `Ihr Passwort bei ${site.name} wurde geändert`,
    blocks: [
      `Das Passwort Ihres Kontos bei ${site.name} wurde geändert, und die anderen Sitzungen wurden beendet.`,
      deviceBlock('de', site, data),
      'Waren Sie das nicht, fordern Sie sofort ein neues Passwort an.',
    ],
  }),
})
