import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'

/** Notifies the old address of a staff member that the account has another address now. */
export const staffEmailChangedMail = defineMail('staff-email-changed', Shape({ email: Type.String() }), {
  en: ({ email }, site) => ({
    subject: `Your address at ${site.name} was changed`,
    blocks: [
      `You sign in to ${site.name} with ${email} from now on. This address opens your account no more.`,
      'If you did not expect that, write to the owner of the store immediately.',
    ],
  }),
  de: ({ email }, site) => ({
    subject: `Ihre Adresse bei ${site.name} wurde geändert`,
    blocks: [
      `Bei ${site.name} melden Sie sich ab jetzt mit ${email} an. Mit dieser Adresse geht es nicht mehr.`,
      'Haben Sie das nicht erwartet, schreiben Sie sofort der Inhaberin oder dem Inhaber des Shops.',
    ],
  }),
})
