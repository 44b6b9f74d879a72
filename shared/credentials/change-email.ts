import { setCustomerEmail } from '#shared/customers/set-email.ts'
import type { AccountName } from '#shared/identity/account.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { LINK_PURPOSES } from '#shared/identity/links/account-link.ts'
import type { LinkToken } from '#shared/identity/links/link-token.ts'
import { useLink, voidLinks } from '#shared/identity/links/use-link.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { emailChangedMail } from '#shared/identity/mails/email-changed.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { closeAllSessions } from '#shared/identity/sessions/close-sessions.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { setStaffEmail } from '#shared/staff/set-email.ts'
import { lockMovingHolder } from './holder.ts'

interface Change {
  account: AccountName
  /** The session that goes on. */
  keep: string
  device: Device
}

/**
 * Takes the link that was mailed to a new address and makes it the account's. It takes the account's own session beside
 * the link, which may lie in a mailbox that was mistyped. As with a password, the other sessions close; links that lie
 * in the old mailbox are void. Throws `auth.link_invalid` and `auth.email_taken`.
 */
export async function changeEmail(
  tx: StoreTx,
  token: LinkToken,
  { account, keep, device }: Change,
): Promise<void> {
  const holder = await lockMovingHolder(tx, account)
  const { email } = await useLink(tx, token, 'change_email', account)
  if (!email || !holder.isActive) throw AuthErrors.linkInvalid()
  await (account.type === 'customer' ? setCustomerEmail : setStaffEmail)(tx, account.id, email)
  await closeAllSessions(tx, account, 'email_changed', { except: keep })
  await voidLinks(tx, account, ...LINK_PURPOSES)
  await recordSecurityEvent(tx, 'email_changed', account, device)
  await queueMail(tx, emailChangedMail, holder, { email, ...deviceFacts(device) })
}
