import type { Static } from 'typebox'
import { proofOf } from '#api/identity/request.ts'
import type { StaffCaller } from '#api/platform/auth/callers.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { reauthenticate } from '#shared/identity/reauthentication/reauthenticate.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { transferOwnershipAs } from '#shared/staff/ownership/transfer-ownership.ts'
import { lockRoster } from '#shared/staff/roster.ts'
import { type StaffMemberView, viewStaffMember } from '#shared/staff/staff-member.ts'
import type { TransferOwnershipRequest } from './schemas.ts'

/** Transfers the store after its owner has entered the password, and a code if there is a second factor. */
export async function transferOwnershipByPassword(
  unitOfWork: UnitOfWork,
  storeId: string,
  { id, isOwner }: StaffCaller,
  body: Static<typeof TransferOwnershipRequest>,
): Promise<Static<typeof StaffMemberView>> {
  if (!isOwner) throw StaffErrors.ownerOnly()
  return reauthenticate(storeId, { type: 'staff', id }, proofOf(body), (lock) =>
    unitOfWork.inStore(storeId, async (tx) => {
      // Lock the roster first, as every change of staff does, because another sequence could deadlock.
      await lockRoster(tx)
      await lock(tx)
      return viewStaffMember(await transferOwnershipAs(tx, id, body.user_id))
    }),
  )
}
