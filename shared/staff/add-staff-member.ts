import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { insertStaffMember, type NewStaffMember } from './insert-staff-member.ts'
import { rightsOfGivenRole } from './role.ts'
import { assertCovers, lockActor } from './roster.ts'
import type { StaffMember } from './staff-member.ts'

export type StaffDraft = Omit<NewStaffMember, 'isOwner'>

/**
 * Adds a staff member on behalf of another. Throws `auth.email_taken`, `user.privilege_escalation` for a role with more
 * rights than the actor has, and `user.owner_protected` for the owner's.
 */
export async function addStaffMember(tx: StoreTx, actorId: string, draft: StaffDraft): Promise<StaffMember> {
  const actor = await lockActor(tx, actorId, 'users:write')
  assertCovers(actor, await rightsOfGivenRole(tx, draft.role))
  return insertStaffMember(tx, draft)
}
