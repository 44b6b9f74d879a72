import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'

/**
 * Replaces the link when the new address belongs to another account. The holder of both accounts learns why no link was
 * sent; the requester of an address of another person learns nothing.
 */
export const emailInUseMail = defineMail('email-in-use', Shape({}), {
  en: (_, site) => ({
    subject: `This e-mail address has an account already: ${site.name}`,
    blocks: [
      `Someone asked to make this the e-mail address of their account at ${site.name}. It belongs to another account already, so nothing was changed.`,
      'If that was you, sign in with this address, or choose another one for the other account.',
      'If it was not, there is nothing to do: nobody has come by your account.',
    ],
  }),
  de: (_, site) => ({
    subject: `Zu dieser E-Mail-Adresse gibt es schon ein Konto: ${site.name}`,
    blocks: [
      `Jemand möchte diese Adresse für sein Konto bei ${site.name} verwenden. Sie gehört schon zu einem anderen Konto, darum hat sich nichts geändert.`,
      'Waren Sie es selbst, melden Sie sich mit dieser Adresse an, oder wählen Sie für das andere Konto eine andere.',
      'Waren Sie es nicht, ist nichts zu tun: Niemand hat Zugang zu Ihrem Konto bekommen.',
    ],
  }),
})
