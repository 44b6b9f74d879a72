import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { type Site, tokenLink } from '#shared/mail/site.ts'
import { Shape } from '#shared/platform/http/schema.ts'

/** Mails the link to choose the first password of an account that staff created. */
export const customerInvitationMail = defineMail('customer-invitation', Shape({ token: Type.String() }), {
  en: ({ token }, site) => ({
    subject: `Your account at ${site.name}`,
    blocks: [
      `${site.name} has created an account for you. Choose a password to sign in with this address.`,
      { label: 'Choose a password', url: invitationLink(site, token) },
      'The link works once and for seven days. Later you can ask for a new password on the sign-in page.',
      'If you do not want the account, ignore this mail.',
    ],
  }),
  de: ({ token }, site) => ({
    subject: `Ihr Konto bei ${site.name}`,
    blocks: [
      `${site.name} hat ein Konto für Sie angelegt. Wählen Sie ein Passwort, um sich mit dieser Adresse anzumelden.`,
      { label: 'Passwort wählen', url: invitationLink(site, token) },
      'Der Link gilt sieben Tage und nur einmal. Danach können Sie auf der Anmeldeseite ein neues Passwort anfordern.',
      'Möchten Sie das Konto nicht, ist nichts zu tun.',
    ],
  }),
})

const invitationLink = (site: Site, token: string): string => tokenLink(site, 'reset_password', token)
