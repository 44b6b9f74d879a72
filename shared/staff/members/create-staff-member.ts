import { assertPlainEmail } from '#shared/identity/email.ts'
import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { staffAddedMail } from '#shared/staff/mails/added.ts'
import { rightsOfAssignableRole } from '#shared/staff/role.ts'
import { assertHoldsRights, lockActor } from '#shared/staff/roster.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import { consumeAddressQuota } from './consume-address-quota.ts'
import { insertStaffMember, type NewStaffMember } from './insert-staff-member.ts'
import { invite } from './invite.ts'

export type StaffDraft = Omit<NewStaffMember, 'isOwner'>

/**
 * Creates a staff member on behalf of another, and counts the address by `consumeAddressQuota`. Throws
 * `auth.email_taken`, `user.privilege_escalation` for a role with more rights than the actor has, and
 * `user.owner_protected` for the owner's role. `sendsInvitation` mails a link to set a password; otherwise a mail
 * notifies the address.
 */
export async function createStaffMember(
  tx: StoreTx,
  actorId: string,
  draft: StaffDraft,
  { sendsInvitation = false } = {},
): Promise<StaffMember> {
  const actor = await lockActor(tx, actorId, 'users:write')
  assertHoldsRights(actor, await rightsOfAssignableRole(tx, draft.role))
  consumeAddressQuota(tx, actor.member)
  const member = await insertStaffMember(tx, draft)
  assertPlainEmail(draft.email)
  if (sendsInvitation) await invite(tx, member)
  else await queueMailByStaff(tx, staffAddedMail, toRecipient(member), {})
  return member
}
