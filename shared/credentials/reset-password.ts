import { markVerified } from '#shared/customers/verify-email.ts'
import type { AccountName } from '#shared/identity/account.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { issueLink } from '#shared/identity/links/issue-link.ts'
import type { LinkToken } from '#shared/identity/links/link-token.ts'
import { useLink } from '#shared/identity/links/use-link.ts'
import { resetPasswordMail } from '#shared/identity/mails/reset-password.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { factorOwner } from '#shared/identity/two-factor/factor-owner.ts'
import { readTwoFactor } from '#shared/identity/two-factor/standing.ts'
import { disableTwoFactor } from '#shared/identity/two-factor/switch.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockHolder } from './holder.ts'
import { type NewPassword, setPassword } from './set-password.ts'

/** Mails an account's holder a link to choose a new password with. `linkId` names it: a repeat sends no second one. */
export async function sendResetLink(tx: StoreTx, account: AccountName, linkId: string): Promise<void> {
  // Locked: a change of address that does not see this link yet must not leave it good in the mailbox they had.
  const holder = await lockHolder(tx, account)
  if (!holder.isActive) return
  const link = await issueLink(tx, account, 'reset_password', { id: linkId })
  if (!link) return
  const data = { account: account.type, token: link.token }
  await queueMail(tx, resetPasswordMail, holder, data, { goodUntil: link.expiresAt })
}

/** Takes the link that was mailed and gives the account another password. All its sessions close. `auth.link_invalid`. */
export async function resetPassword(
  tx: StoreTx,
  token: LinkToken,
  change: Pick<NewPassword, 'passwordHash' | 'device'>,
): Promise<void> {
  const { account } = await useLink(tx, token, 'reset_password')
  const holder = await lockHolder(tx, account)
  if (!holder.isActive) throw AuthErrors.linkInvalid()
  // Closed with all the others, it makes the device a known one: the owner signs in there, however many guess elsewhere.
  await openSession(tx, account, change.device)
  await setPassword(tx, holder, { ...change, reason: 'password_reset' })
  // The link came to this address, so it is theirs.
  if (account.type === 'customer' && (await markVerified(tx, account.id)))
    await dropSecondFactor(tx, account, change.device)
}

// Whoever opened the account may not have been the address's owner, whom an app of theirs would keep out for ever.
async function dropSecondFactor(tx: StoreTx, account: AccountName, device: Device): Promise<void> {
  const factor = factorOwner(tx, account)
  const { isEnabled } = await readTwoFactor(factor)
  await disableTwoFactor(factor)
  if (isEnabled) await recordSecurityEvent(tx, 'two_factor_reset', account, device)
}
