import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StaffErrors } from './errors.ts'
import { lockRoster } from './lock-roster.ts'
import { StaffMember } from './staff-member.ts'

/** Locks the roster and returns whoever acts, who must be the store's owner at this moment: `user.owner_only`. */
export async function actAsOwner(tx: StoreTx, actorId: string): Promise<StaffMember> {
  await lockRoster(tx)
  const member = await StaffMember.in(tx).findById(actorId)
  if (!member?.isOwner) throw StaffErrors.ownerOnly()
  return member
}
