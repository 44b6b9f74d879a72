import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { deviceBlock, deviceProperties } from './device.ts'

/** Notifies of a sign-in from a new device. */
export const newSignInMail = defineMail('new-sign-in', Shape(deviceProperties), {
  en: (data, site) => ({
    subject: `New sign-in to your account at ${site.name}`,
    blocks: [
      `Someone signed in to your account at ${site.name} from a device or a network that was not used before.`,
      deviceBlock('en', site, data),
      'If that was you, there is nothing to do. If it was not, change your password: that closes all other sessions.',
    ],
  }),
  de: (data, site) => ({
    subject: `Neue Anmeldung in Ihrem Konto bei ${site.name}`,
    blocks: [
      `In Ihrem Konto bei ${site.name} hat sich jemand mit einem Gerät oder aus einem Netz angemeldet, das bisher ` +
        'nicht genutzt wurde.',
      deviceBlock('de', site, data),
      'Waren Sie es selbst, ist nichts zu tun. Wenn nicht, ändern Sie Ihr Passwort: Das beendet alle anderen ' +
        'Sitzungen.',
    ],
  }),
})
