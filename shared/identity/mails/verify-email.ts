import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { tokenLink } from '#shared/mail/site.ts'
import { Shape } from '#shared/platform/http/schema.ts'

/** Asks the owner of an address to confirm it. Somebody else may have opened the account with this address. */
export const verifyEmailMail = defineMail('verify-email', Shape({ token: Type.String() }), {
  en: ({ token }, site) => ({
    subject: `Confirm your e-mail address for ${site.name}`,
    blocks: [
      `An account at ${site.name} was opened with this e-mail address. If you opened it, confirm the address.`,
      { label: 'Confirm the address', url: tokenLink(site, 'verify_email', token) },
      'The link works once and for three days. The account can be used before that.',
      'If you did not open an account, ignore this mail: the address is not confirmed without the password of the ' +
        'account.',
    ],
  }),
  de: ({ token }, site) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${site.name}`,
    blocks: [
      `Mit dieser E-Mail-Adresse wurde ein Konto bei ${site.name} eröffnet. Wenn Sie es eröffnet haben, bestätigen ` +
        'Sie die Adresse.',
      { label: 'Adresse bestätigen', url: tokenLink(site, 'verify_email', token) },
      'Der Link gilt drei Tage und nur einmal. Das Konto lässt sich auch vorher nutzen.',
      'Haben Sie kein Konto eröffnet, ist nichts zu tun: Ohne das Passwort des Kontos wird die Adresse nicht ' +
        'bestätigt.',
    ],
  }),
})
