import type { StoreTx } from '../platform/store-scope.ts'
import { actOnRoster, assertCovers } from './acting.ts'
import { insertStaffMember } from './create-staff-member.ts'
import { rightsOfGivenRole } from './find-role.ts'
import type { StaffMember } from './staff-member.ts'

export interface StaffDraft {
  email: string
  firstname: string
  lastname: string
  role: string
  passwordHash: string
}

/**
 * Takes someone on in another's name. Throws `auth.email_taken`, `user.privilege_escalation` for a role that holds
 * more than the one who gives it, and `user.owner_protected` for the owner's.
 */
export async function addStaffMember(tx: StoreTx, actorId: string, draft: StaffDraft): Promise<StaffMember> {
  const actor = await actOnRoster(tx, actorId, 'users:write')
  assertCovers(actor, await rightsOfGivenRole(tx, draft.role))
  return insertStaffMember(tx, draft)
}
