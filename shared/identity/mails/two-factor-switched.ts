import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { deviceBlock, deviceProperties } from './device.ts'

export const TwoFactorSwitched = Shape({ is_on: Type.Boolean(), ...deviceProperties })

/** Notifies that two-factor sign-in was turned on or off. */
export const twoFactorSwitchedMail = defineMail('two-factor-switched', TwoFactorSwitched, {
  en: (data, site) => ({
    subject: `Two-factor sign-in at ${site.name} is ${data.is_on ? 'on' : 'off'}`,
    blocks: [
      data.is_on
        ? `Two-factor sign-in was switched on for your account at ${site.name}. Keep your recovery codes in a safe ` +
          'place.'
        : `Two-factor sign-in was switched off for your account at ${site.name}. Its recovery codes are void.`,
      deviceBlock('en', site, data),
      'If that was not you, change your password immediately and write to us.',
    ],
  }),
  de: (data, site) => ({
    subject: `Anmeldung in zwei Schritten bei ${site.name} ist ${data.is_on ? 'an' : 'aus'}`,
    blocks: [
      data.is_on
        ? `Die Anmeldung in zwei Schritten wurde für Ihr Konto bei ${site.name} eingeschaltet. Bewahren Sie Ihre ` +
          'Ersatzcodes sicher auf.'
        : `Die Anmeldung in zwei Schritten wurde für Ihr Konto bei ${site.name} ausgeschaltet. Die Ersatzcodes ` +
          'gelten nicht mehr.',
      deviceBlock('de', site, data),
      'Waren Sie das nicht, ändern Sie sofort Ihr Passwort und schreiben Sie uns.',
    ],
  }),
})
