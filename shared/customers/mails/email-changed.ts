import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'

/** Notifies a customer's former address that staff have changed the address of the account. */
export const customerEmailChangedMail = defineMail(
  'customer-email-changed',
  Shape({ email: Type.String() }),
  {
    en: ({ email }, site) => ({
      subject: `Your e-mail address at ${site.name} was changed`,
      blocks: [
        `The staff of ${site.name} changed the address of your account. You sign in with ${email} from now on, and ` +
          'mails go there. All sessions were closed.',
        'If you did not ask for that, write to us immediately: this address no longer opens your account.',
      ],
    }),
    de: ({ email }, site) => ({
      subject: `Ihre E-Mail-Adresse bei ${site.name} wurde geändert`,
      blocks: [
        `${site.name} hat die Adresse Ihres Kontos geändert. Sie melden sich ab jetzt mit ${email} an, und Mails ` +
          'gehen dorthin. Alle Sitzungen wurden beendet.',
        'Haben Sie darum nicht gebeten, schreiben Sie uns sofort: Mit dieser Adresse geht es nicht mehr ins Konto.',
      ],
    }),
  },
)
