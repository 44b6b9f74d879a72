import type { Device } from '#shared/identity/device.ts'
import { assertPlainEmail, isSameMailbox, normalizeEmail } from '#shared/identity/email.ts'
import { unlinkAccount } from '#shared/identity/identity-link.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { revokeAccess } from '#shared/identity/sessions/revoke-access.ts'
import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { staffAddedMail } from '#shared/staff/mails/added.ts'
import { staffEmailChangedMail } from '#shared/staff/mails/email-changed.ts'
import type { ActorAndTarget } from '#shared/staff/roster.ts'
import { claimStaffEmail, releaseStaffEmail } from '#shared/staff/staff-email.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import { consumeAddressQuota } from './consume-address-quota.ts'

type Address = Pick<StaffMember, 'email' | 'emailNormalized' | 'verifiedAt'>

/**
 * Applies the next address of a member, and whether the member is active. If the mailbox changes, ends the access by
 * the old one. Claims the address of an active member, and frees that of an inactive one. Returns the columns of the
 * address, which the caller saves. Throws `user.own_email`, `auth.email_taken`, and 422 for an address that is not
 * plain.
 */
export async function changeMemberAddress(
  tx: StoreTx,
  locked: ActorAndTarget,
  { email, isActive }: Pick<StaffMember, 'email' | 'isActive'>,
  device: Device,
): Promise<Address> {
  const { member } = locked.target
  const isMoved = !isSameMailbox(email, member.email)
  if (isMoved) await leaveMailbox(tx, locked, email, device)
  const address = {
    email,
    emailNormalized: normalizeEmail(email),
    verifiedAt: isMoved ? null : member.verifiedAt,
  }
  await claimOrRelease(tx, locked, { ...address, isActive })
  return address
}

/** Ends the access by the old mailbox, and notifies it if the member is active. */
async function leaveMailbox(
  tx: StoreTx,
  { actor, target: { member } }: ActorAndTarget,
  email: string,
  device: Device,
): Promise<void> {
  const account = { type: 'staff', id: member.id } as const
  // A change of one's own address needs the password (POST /auth/email), because a stolen session must not be enough to
  // take the account.
  if (actor.member.id === member.id) throw StaffErrors.ownEmail()
  assertPlainEmail(email)
  // The old mailbox can be somebody else's, if its address was mistyped.
  await revokeAccess(tx, account, 'email_changed')
  await unlinkAccount(tx, account)
  await recordSecurityEvent(tx, 'email_changed', account, device)
  // An inactive member signs in nowhere, and the old address may be another account's by now.
  if (member.isActive) await queueMailByStaff(tx, staffEmailChangedMail, toRecipient(member), { email })
}

/**
 * Claims the address of a member who is active after the change, and counts and notifies a mailbox that is new or in
 * use again. Releases the address of an inactive member.
 */
async function claimOrRelease(
  tx: StoreTx,
  { actor, target: { member } }: ActorAndTarget,
  { email, emailNormalized, isActive }: Pick<StaffMember, 'email' | 'emailNormalized' | 'isActive'>,
): Promise<void> {
  if (!isActive) return releaseStaffEmail(tx, member.id)
  // If only the spelling changes, the directory already has the address.
  if (!member.isActive || emailNormalized !== member.emailNormalized)
    await claimStaffEmail(tx, member, emailNormalized)
  if (member.isActive && isSameMailbox(email, member.email)) return
  consumeAddressQuota(tx, actor.member)
  await queueMailByStaff(tx, staffAddedMail, toRecipient({ id: member.id, email }), {})
}
