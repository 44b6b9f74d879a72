import { Type } from 'typebox'
import type { AccountType } from '#shared/identity/principal.ts'
import { defineMail } from '#shared/mail/define-mail.ts'
import { type Site, tokenLink } from '#shared/mail/site.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import type { LinkedPage } from '#shared/stores/settings/links.ts'

const ResetPassword = Shape({ account: Type.Enum(['customer', 'staff']), token: Type.String() })

/** Sends a link to choose a new password. The page differs for staff and customers. */
export const resetPasswordMail = defineMail('reset-password', ResetPassword, {
  en: ({ account, token }, site) => ({
    subject: `Choose a new password for ${site.name}`,
    blocks: [
      `Someone, probably you, asked for a new password for your account at ${site.name}.`,
      { label: 'Choose a new password', url: resetLink(site, account, token) },
      'The link works once and for one hour.',
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    ],
  }),
  de: ({ account, token }, site) => ({
    subject: `Neues Passwort für ${site.name} wählen`,
    blocks: [
      `Jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihr Konto bei ${site.name} angefordert.`,
      { label: 'Neues Passwort wählen', url: resetLink(site, account, token) },
      'Der Link gilt eine Stunde und nur einmal.',
      'Haben Sie das nicht angefordert, ist nichts zu tun: Ihr Passwort bleibt, wie es ist.',
    ],
  }),
})

const PAGES: Record<AccountType, LinkedPage> = { customer: 'reset_password', staff: 'staff_password' }

const resetLink = (site: Site, account: AccountType, token: string): string =>
  tokenLink(site, PAGES[account], token)
