import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { deviceBlock, deviceProperties } from './device.ts'

const IdentityLinked = Shape({ provider: Type.String(), ...deviceProperties })

/** Notifies that an identity provider signs in to an account from now on. */
export const identityLinkedMail = defineMail('identity-linked', IdentityLinked, {
  en: ({ provider, ...device }, site) => ({
    subject: `Sign-in by ${provider} to your account at ${site.name}`,
    blocks: [
      `Someone signed in by ${provider} with this e-mail address. From now on, this sign-in by ${provider} opens ` +
        `your account at ${site.name} without its password.`,
      deviceBlock('en', site, device),
      'If that was you, there is nothing to do. If it was not, somebody else can read your mails: secure your ' +
        `mailbox, and remove ${provider} from the sign-ins of your account. If you cannot secure the mailbox, change ` +
        'the e-mail address of the account, or write to us.',
    ],
  }),
  de: ({ provider, ...device }, site) => ({
    subject: `Anmeldung mit ${provider} in Ihrem Konto bei ${site.name}`,
    blocks: [
      `Jemand hat sich mit ${provider} und dieser E-Mail-Adresse angemeldet. Ab jetzt öffnet diese Anmeldung mit ` +
        `${provider} Ihr Konto bei ${site.name} ohne dessen Passwort.`,
      deviceBlock('de', site, device),
      'Waren Sie es selbst, ist nichts zu tun. Wenn nicht, kann jemand anderes Ihre Mails lesen: Sichern Sie Ihr ' +
        `Postfach, und entfernen Sie ${provider} aus den Anmeldungen Ihres Kontos. Können Sie das Postfach nicht ` +
        'sichern, ändern Sie die E-Mail-Adresse des Kontos, oder schreiben Sie uns.',
    ],
  }),
})
