import type { Static } from 'typebox'
import type { StaffMember } from '#api/platform/auth/access.ts'
import type { UnitOfWork } from '#api/platform/pipeline/unit-of-work.ts'
import { confirmPassword, lockConfirmed } from '#shared/identity/passwords/confirm-password.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { lockRoster } from '#shared/staff/roster.ts'
import { type StaffMemberView, viewStaffMember } from '#shared/staff/staff-member.ts'
import { transferOwnershipAs } from '#shared/staff/transfer-ownership.ts'
import type { TransferRequest } from './schemas.ts'

/** Hands the store over once its owner has given their password. Answers the new owner. */
export async function transferOwnershipByPassword(
  unitOfWork: UnitOfWork,
  storeId: string,
  { id, isOwner }: StaffMember,
  { user_id, current_password }: Static<typeof TransferRequest>,
): Promise<Static<typeof StaffMemberView>> {
  if (!isOwner) throw StaffErrors.ownerOnly()
  const confirmed = await confirmPassword(storeId, { type: 'staff', id }, current_password)
  return unitOfWork.inStore(storeId, async (tx) => {
    // The roster first, as whoever changes staff does: two locks in two orders would be a deadlock.
    await lockRoster(tx)
    await lockConfirmed(tx, confirmed)
    return viewStaffMember(await transferOwnershipAs(tx, id, user_id))
  })
}
