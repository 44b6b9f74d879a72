import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { HOW_TO_LEAVE } from './how-to-leave.ts'

/** Notifies an address that a store has given to a member of its staff without an invitation. */
export const staffAddedMail = defineMail('staff-added', Shape({}), {
  en: (_, site) => ({
    subject: `You are on the staff of ${site.name}`,
    blocks: [
      `${site.name} has added this address to its staff. You sign in with it. You can choose a password by “Forgot ` +
        'password” on the sign-in page.',
      HOW_TO_LEAVE.en,
    ],
  }),
  de: (_, site) => ({
    subject: `Sie gehören zum Team von ${site.name}`,
    blocks: [
      `${site.name} hat diese Adresse ins Team aufgenommen. Damit melden Sie sich an. Ein Passwort wählen Sie über ` +
        '„Passwort vergessen“ auf der Anmeldeseite.',
      HOW_TO_LEAVE.de,
    ],
  }),
})
