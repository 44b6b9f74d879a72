import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'

/**
 * Replaces the link if the new address belongs to another account. The owner of both accounts learns why there is no
 * link. Somebody who requested another person's address learns nothing.
 */
export const emailInUseMail = defineMail('email-in-use', Shape({}), {
  en: (_, site) => ({
    subject: `This e-mail address has an account already: ${site.name}`,
    blocks: [
      `Someone asked to make this the e-mail address of their account at ${site.name}. It belongs to another account ` +
        'already, so nothing was changed.',
      'If that was you, sign in with this address, or choose another one for the other account.',
      'If it was not you, there is nothing to do: nobody got access to your account.',
    ],
  }),
  de: (_, site) => ({
    subject: `Zu dieser E-Mail-Adresse gibt es schon ein Konto: ${site.name}`,
    blocks: [
      `Jemand möchte diese Adresse für sein Konto bei ${site.name} verwenden. Sie gehört schon zu einem anderen ` +
        'Konto, darum hat sich nichts geändert.',
      'Waren Sie es selbst, melden Sie sich mit dieser Adresse an, oder wählen Sie für das andere Konto eine andere.',
      'Waren Sie es nicht, ist nichts zu tun: Niemand hat Zugang zu Ihrem Konto bekommen.',
    ],
  }),
})
