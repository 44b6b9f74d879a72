import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { FindIntegrations } from '#shared/staff/integration.ts'
import { assertMayChangeMember, lockActorAndTarget } from '#shared/staff/roster.ts'
import { removeStaffMember } from './remove-staff-member.ts'

/**
 * Removes a staff member with all sessions, the password, the second factor and the links to identity providers. The
 * e-mail address is free for another account. Histories keep the id. The member's integrations remain, and the owner is
 * mailed which. Throws `user.owner_protected`, `user.last_admin` and `user.privilege_escalation`.
 */
export async function deleteStaffMember(
  tx: StoreTx,
  actorId: string,
  id: string,
  findIntegrations: FindIntegrations,
): Promise<void> {
  const locked = await lockActorAndTarget(tx, actorId, id)
  await assertMayChangeMember(tx, locked, null)
  await removeStaffMember(tx, locked, findIntegrations)
}
