import { Type } from 'typebox'
import type { AccountType } from '#shared/identity/principal.ts'
import { defineMail } from '#shared/mail/define-mail.ts'
import { type Site, tokenLink } from '#shared/mail/site.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import type { LinkedPage } from '#shared/stores/settings/links.ts'

const ChangeEmail = Shape({ account: Type.Enum(['customer', 'staff']), token: Type.String() })

/**
 * Sends a link to a new address. Opening the link makes it the address of the account. The page differs for staff and
 * customers.
 */
export const changeEmailMail = defineMail('change-email', ChangeEmail, {
  en: ({ account, token }, site) => ({
    subject: `Confirm your new e-mail address for ${site.name}`,
    blocks: [
      `Someone, probably you, asked to make this the e-mail address of an account at ${site.name}.`,
      { label: 'Use this address', url: changeLink(site, account, token) },
      'The link works once, for one hour, and only while you are signed in to the account. Sign in with your present ' +
        'address if necessary.',
      'If you did not ask for it, ignore this mail. Nothing will change.',
    ],
  }),
  de: ({ account, token }, site) => ({
    subject: `Bestätigen Sie Ihre neue E-Mail-Adresse für ${site.name}`,
    blocks: [
      `Jemand, vermutlich Sie selbst, möchte diese Adresse für ein Konto bei ${site.name} verwenden.`,
      { label: 'Diese Adresse verwenden', url: changeLink(site, account, token) },
      'Der Link gilt eine Stunde und nur einmal. Dazu müssen Sie in dem Konto angemeldet sein: Sind Sie es nicht, ' +
        'melden Sie sich mit Ihrer bisherigen Adresse an.',
      'Haben Sie das nicht angefordert, ist nichts zu tun: Dann ändert sich nichts.',
    ],
  }),
})

const PAGES: Record<AccountType, LinkedPage> = { customer: 'change_email', staff: 'staff_email' }

const changeLink = (site: Site, account: AccountType, token: string): string =>
  tokenLink(site, PAGES[account], token)
