import { changedAt } from '../platform/entity-tag.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { invalid } from '../platform/validation.ts'
import { actAsOwner } from './act-as-owner.ts'
import { lockStaffMember } from './find-staff-member.ts'
import { OWNER_ROLE } from './roles.ts'
import { StaffMember } from './staff-member.ts'

/**
 * Makes another active member of the staff the owner; who was it stays as an administrator. Throws `user.owner_only`,
 * 404 when the store has no such member, and 422 for one that cannot take it over.
 */
export async function transferOwnership(
  tx: StoreTx,
  actorId: string,
  successorId: string,
): Promise<StaffMember> {
  const owner = await actAsOwner(tx, actorId)
  const successor = await lockStaffMember(tx, successorId)
  if (successor.isOwner || !successor.isActive)
    throw invalid(['body', 'user_id'], 'It is another, active member of the staff', successorId)
  // The owner first: a store has one at most.
  await StaffMember.in(tx)
    .findById(owner.id)
    .patch({ isOwner: false, role: 'administrator', updatedAt: changedAt(owner) })
  return StaffMember.in(tx).patchAndFetchById(successor.id, {
    isOwner: true,
    role: OWNER_ROLE,
    updatedAt: changedAt(successor),
  })
}
