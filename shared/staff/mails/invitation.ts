import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { type Site, tokenLink } from '#shared/mail/site.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { HOW_TO_LEAVE } from './how-to-leave.ts'

/** Invites a new staff member to set a password by a link. */
export const invitationMail = defineMail('staff-invitation', Shape({ token: Type.String() }), {
  en: ({ token }, site) => ({
    subject: `You were invited to ${site.name}`,
    blocks: [
      `You were added to the staff of ${site.name}. Choose a password to sign in with this address.`,
      { label: 'Choose a password', url: invitationLink(site, token) },
      'The link works once and for seven days. Later you can ask for a new password on the sign-in page.',
      HOW_TO_LEAVE.en,
    ],
  }),
  de: ({ token }, site) => ({
    subject: `Einladung zu ${site.name}`,
    blocks: [
      `Sie gehören jetzt zum Team von ${site.name}. Wählen Sie ein Passwort, um sich mit dieser Adresse anzumelden.`,
      { label: 'Passwort wählen', url: invitationLink(site, token) },
      'Der Link gilt sieben Tage und nur einmal. Danach können Sie auf der Anmeldeseite ein neues Passwort anfordern.',
      HOW_TO_LEAVE.de,
    ],
  }),
})

const invitationLink = (site: Site, token: string): string => tokenLink(site, 'staff_password', token)
