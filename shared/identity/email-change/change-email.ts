import type { Device } from '#shared/identity/device.ts'
import { isSameMailbox } from '#shared/identity/email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { lockHolderKey } from '#shared/identity/holder.ts'
import { unlinkAccount } from '#shared/identity/identity-link.ts'
import { type LinkToken, useLink } from '#shared/identity/links/link.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { emailChangedMail } from '#shared/identity/mails/email-changed.ts'
import { principalOf, type StoreAccount } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { revokeAccess } from '#shared/identity/sessions/revoke-access.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

interface Change {
  account: StoreAccount
  /** The id of the session that stays open. */
  keep: string
  device: Device
}

/**
 * Makes the address of a mailed link the account's address. The caller also needs a session of the account, because a
 * mistyped address can be somebody else's mailbox. Closes the other sessions, and voids links in the old mailbox. If
 * the new address is another mailbox, deletes the links to identity providers, because they prove the old address.
 * Throws `auth.link_invalid` and `auth.email_taken`.
 */
export async function changeEmail(
  tx: StoreTx,
  token: LinkToken,
  { account, keep, device }: Change,
): Promise<void> {
  const holder = await lockHolderKey(tx, account)
  const { email } = await useLink(tx, token, 'change_email', account)
  if (!email || !holder.isActive) throw AuthErrors.linkInvalid()
  await principalOf(account.type).setEmail?.(tx, account.id, email)
  await revokeAccess(tx, account, 'email_changed', { except: keep })
  const unlinked = isSameMailbox(email, holder.email) ? 0 : await unlinkAccount(tx, account)
  await recordSecurityEvent(tx, 'email_changed', account, device)
  const effects = { email, is_unlinked: unlinked > 0 }
  await queueMail(tx, emailChangedMail, holder, { ...effects, ...deviceFacts(device) })
}
