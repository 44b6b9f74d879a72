import { queueMail, toRecipient } from '#shared/mail/queue-mail.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { ownershipTransferredMail } from '#shared/staff/mails/ownership-transferred.ts'
import { OWNER_ROLE } from '#shared/staff/rights.ts'
import { lockOwner, lockRoster } from '#shared/staff/roster.ts'
import { findOwnerIfAny, lockStaffMember, StaffMember } from '#shared/staff/staff-member.ts'
import { endConsent } from '#shared/staff/support-consent.ts'

/**
 * Makes an active staff member the store's owner, and notifies both. The previous owner becomes an administrator, and
 * the consent to changes by support sessions ends. `superAdmin` is the address of the super-admin who transfers it;
 * null for the owner. Throws `resource.not_found` for an unknown member, and 422 for a member who cannot be the owner.
 */
export async function transferOwnership(
  tx: StoreTx,
  successorId: string,
  superAdmin: string | null,
): Promise<StaffMember> {
  await lockRoster(tx)
  const successor = await lockStaffMember(tx, successorId)
  if (successor.isOwner || !successor.isActive)
    throw invalid(['user_id'], 'Choose another, active member of the staff as the new owner', successorId)
  // Demote the owner first, because a unique index allows only one.
  const owner = await findOwnerIfAny(tx)
  if (owner)
    await StaffMember.in(tx)
      .findById(owner.id)
      .patch({ isOwner: false, role: 'administrator', updatedAt: nextUpdatedAt(owner) })
  const promoted = await StaffMember.in(tx).patchAndFetchById(successor.id, {
    isOwner: true,
    role: OWNER_ROLE,
    updatedAt: nextUpdatedAt(successor),
  })
  // The new owner has consented to nothing.
  await endConsent(tx)
  await notify(tx, owner, promoted, superAdmin)
  return promoted
}

async function notify(
  tx: StoreTx,
  former: StaffMember | undefined,
  successor: StaffMember,
  superAdmin: string | null,
): Promise<void> {
  const data = {
    at: now().toISOString(),
    former_owner: former?.email ?? null,
    new_owner: successor.email,
    super_admin: superAdmin,
  }
  for (const { id, email } of [former, successor].flatMap((member) => member ?? []))
    await queueMail(tx, ownershipTransferredMail, toRecipient({ id, email }), data)
}

/**
 * Transfers the store on behalf of its owner. Throws `user.owner_only`, `resource.not_found` for an unknown member, and
 * 422 for a member who cannot be the owner.
 */
export async function transferOwnershipAs(
  tx: StoreTx,
  actorId: string,
  successorId: string,
): Promise<StaffMember> {
  await lockOwner(tx, actorId)
  return transferOwnership(tx, successorId, null)
}
