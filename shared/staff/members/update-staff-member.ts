import type { Device } from '#shared/identity/device.ts'
import { assertPlainEmail, isSameMailbox, normalizeEmail } from '#shared/identity/email.ts'
import { unlinkAccount } from '#shared/identity/identity-link.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { revokeAccess } from '#shared/identity/sessions/revoke-access.ts'
import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import type { FindIntegrations } from '#shared/staff/integration.ts'
import { staffAddedMail } from '#shared/staff/mails/added.ts'
import { staffEmailChangedMail } from '#shared/staff/mails/email-changed.ts'
import { rightsOfGivenRole } from '#shared/staff/role.ts'
import { type ActorAndTarget, assertMayChangeMember, lockActorAndTarget } from '#shared/staff/roster.ts'
import { claimStaffEmail, releaseStaffEmail } from '#shared/staff/staff-email.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import { consumeAddressQuota } from './consume-address-quota.ts'
import { endAccess } from './end-access.ts'
import { mailRemainingIntegrations } from './mail-remaining-integrations.ts'

/** A change of a staff member. Omitted fields keep their value. */
export interface StaffChange {
  email?: string
  firstname?: string
  lastname?: string
  role?: string
  isActive?: boolean
}

export interface StaffChangeContext {
  ifMatch?: string | undefined
  device: Device
  findIntegrations: FindIntegrations
}

/**
 * Changes a staff member on behalf of another. A deactivation closes all sessions, voids mailed links, revokes API
 * tokens, deletes the links to identity providers and frees the address; a reactivation claims the address again and
 * revives nothing else. A move to another mailbox closes all sessions too, and deletes the links to identity providers.
 * It is reported to the former address of an active member, and to the new address once the member is active. After a
 * deactivation or demotion the owner is mailed which integrations of the member remain. Throws `resource.not_found`,
 * `resource.changed`, `auth.session_revoked`, `auth.forbidden`, `auth.email_taken`, `user.owner_protected`,
 * `user.own_email`, `user.last_admin`, and `user.privilege_escalation`.
 */
export async function updateStaffMember(
  tx: StoreTx,
  actorId: string,
  id: string,
  change: StaffChange,
  { ifMatch, device, findIntegrations }: StaffChangeContext,
): Promise<StaffMember> {
  const locked = await lockActorAndTarget(tx, actorId, id)
  const { member, rights } = locked.target
  assertUnchanged(member, ifMatch)
  const { email = member.email, role = member.role, isActive = member.isActive, ...names } = change
  const nextRights = role === member.role ? rights : await rightsOfGivenRole(tx, role)
  const outcome = { isActive, rights: nextRights }
  await assertMayChangeMember(tx, locked, outcome)
  if (member.isOwner && role !== member.role) throw StaffErrors.ownerStays()

  const isMoved = !isSameMailbox(email, member.email)
  if (isMoved) await changeMemberEmail(tx, locked, email, device)
  const address = {
    email,
    emailNormalized: normalizeEmail(email),
    verifiedAt: isMoved ? null : member.verifiedAt,
  }
  await claimOrRelease(tx, locked, { ...address, isActive })
  if (!isActive) await endAccess(tx, id)
  if (member.isActive && (!isActive || role !== member.role))
    await mailRemainingIntegrations(tx, locked, outcome, findIntegrations)
  const changed = { ...names, ...address, role, isActive, updatedAt: nextUpdatedAt(member) }
  return StaffMember.in(tx).patchAndFetchById(id, changed)
}

/** Changes the e-mail address of a staff member, and notifies the old address of an active member. */
async function changeMemberEmail(
  tx: StoreTx,
  { actor, target: { member } }: ActorAndTarget,
  email: string,
  device: Device,
) {
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
