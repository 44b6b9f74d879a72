import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { invalid } from '#shared/platform/validation.ts'
import { OWNER_ROLE } from './roles.ts'
import { lockOwner, lockRoster } from './roster.ts'
import { findOwnerIfAny, lockStaffMember, StaffMember } from './staff-member.ts'

/**
 * Makes an active member of the staff the store's owner; who was it stays as an administrator. Throws 404 when the
 * store has no such member, and 422 for one that cannot take it over.
 */
export async function transferOwnership(tx: StoreTx, successorId: string): Promise<StaffMember> {
  await lockRoster(tx)
  const successor = await lockStaffMember(tx, successorId)
  if (successor.isOwner || !successor.isActive)
    throw invalid(['user_id'], 'The new owner is another, active member of the staff', successorId)
  // The owner first: a store has one at most.
  const owner = await findOwnerIfAny(tx)
  if (owner)
    await StaffMember.in(tx)
      .findById(owner.id)
      .patch({ isOwner: false, role: 'administrator', updatedAt: nextUpdatedAt(owner) })
  return StaffMember.in(tx).patchAndFetchById(successor.id, {
    isOwner: true,
    role: OWNER_ROLE,
    updatedAt: nextUpdatedAt(successor),
  })
}

/**
 * Makes another active member of the staff the owner, in the owner's own name. Throws `user.owner_only`, 404 when the
 * store has no such member, and 422 for one that cannot take it over.
 */
export async function transferOwnershipAs(
  tx: StoreTx,
  actorId: string,
  successorId: string,
): Promise<StaffMember> {
  await lockOwner(tx, actorId)
  return transferOwnership(tx, successorId)
}
