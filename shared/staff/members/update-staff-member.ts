import type { Device } from '#shared/identity/device.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import type { FindIntegrations } from '#shared/staff/integration.ts'
import { rightsOfAssignableRole } from '#shared/staff/role.ts'
import { assertMayChangeMember, lockActorAndTarget } from '#shared/staff/roster.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import { changeMemberAddress } from './change-member-address.ts'
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
  const nextRights = role === member.role ? rights : await rightsOfAssignableRole(tx, role)
  const outcome = { isActive, rights: nextRights }
  await assertMayChangeMember(tx, locked, outcome)
  if (member.isOwner && role !== member.role) throw StaffErrors.ownerStays()

  const address = await changeMemberAddress(tx, locked, { email, isActive }, device)
  if (!isActive) await endAccess(tx, id)
  if (member.isActive && (!isActive || role !== member.role))
    await mailRemainingIntegrations(tx, locked, outcome, findIntegrations)
  const changed = { ...names, ...address, role, isActive, updatedAt: nextUpdatedAt(member) }
  return StaffMember.in(tx).patchAndFetchById(id, changed)
}
