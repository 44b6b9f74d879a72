import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { actAsOwner } from './act-as-owner.ts'
import { handOver } from './hand-over.ts'
import type { StaffMember } from './staff-member.ts'

/**
 * Makes another active member of the staff the owner, in the owner's own name. Throws `user.owner_only`, 404 when the
 * store has no such member, and 422 for one that cannot take it over.
 */
export async function transferOwnership(
  tx: StoreTx,
  actorId: string,
  successorId: string,
): Promise<StaffMember> {
  await actAsOwner(tx, actorId)
  return handOver(tx, successorId)
}
