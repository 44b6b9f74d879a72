import type { Static } from 'typebox'
import type { StaffCaller } from '#api/platform/auth/callers.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { confirmPassword, lockConfirmed } from '#shared/identity/passwords/confirm-password.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { transferOwnershipAs } from '#shared/staff/ownership/transfer-ownership.ts'
import { lockRoster } from '#shared/staff/roster.ts'
import { type StaffMemberView, viewStaffMember } from '#shared/staff/staff-member.ts'
import type { TransferOwnershipRequest } from './schemas.ts'

/** Transfers the store after its owner has entered the password. Returns the new owner. */
export async function transferOwnershipByPassword(
  unitOfWork: UnitOfWork,
  storeId: string,
  { id, isOwner }: StaffCaller,
  { user_id, current_password }: Static<typeof TransferOwnershipRequest>,
): Promise<Static<typeof StaffMemberView>> {
  if (!isOwner) throw StaffErrors.ownerOnly()
  const confirmed = await confirmPassword(storeId, { type: 'staff', id }, current_password)
  return unitOfWork.inStore(storeId, async (tx) => {
    // Lock the roster first, as every change of staff does, because another sequence could deadlock.
    await lockRoster(tx)
    await lockConfirmed(tx, confirmed)
    return viewStaffMember(await transferOwnershipAs(tx, id, user_id))
  })
}
