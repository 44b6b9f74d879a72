import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { deviceBlock, deviceProperties } from './device.ts'

const PasswordChanged = Shape({
  /** The names of the identity providers that still sign in to the account. */
  providers: Type.Optional(Type.Array(Type.String())),
  ...deviceProperties,
})

/** Notifies of a changed password, after a change as well as a reset. */
export const passwordChangedMail = defineMail('password-changed', PasswordChanged, {
  en: ({ providers = [], ...device }, site) => ({
    subject: `Your password at ${site.name} was changed`,
    blocks: [
      `The password of your account at ${site.name} was changed, and its other sessions were closed.`,
      deviceBlock('en', site, device),
      'If that was not you, ask for a new password immediately.',
      ...paragraphIf(
        providers,
        (names) =>
          `Sign-in by ${names} still opens the account without this password. If that is not yours, remove it from ` +
          'the sign-ins of your account.',
      ),
    ],
  }),
  de: ({ providers = [], ...device }, site) => ({
    subject: `Ihr Passwort bei ${site.name} wurde geändert`,
    blocks: [
      `Das Passwort Ihres Kontos bei ${site.name} wurde geändert, und die anderen Sitzungen wurden beendet.`,
      deviceBlock('de', site, device),
      'Waren Sie das nicht, fordern Sie sofort ein neues Passwort an.',
      ...paragraphIf(
        providers,
        (names) =>
          `Die Anmeldung mit ${names} öffnet das Konto weiterhin ohne dieses Passwort. Ist sie nicht Ihre, entfernen ` +
          'Sie sie aus den Anmeldungen Ihres Kontos.',
      ),
    ],
  }),
})

/** Returns a paragraph that lists names; none without a name. */
const paragraphIf = (names: readonly string[], write: (names: string) => string): string[] =>
  names.length ? [write(names.join(', '))] : []
