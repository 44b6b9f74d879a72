import type { Static } from 'typebox'
import { proofOf } from '#api/identity/request.ts'
import type { StaffCaller } from '#api/platform/auth/callers.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { reauthenticate } from '#shared/identity/reauthentication/reauthenticate.ts'
import { deactivateStaffIdentityProviders } from '#shared/identity-providers/deactivate-staff-identity-providers.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import {
  type OwnershipTransferView,
  viewOwnershipTransfer,
} from '#shared/staff/ownership/ownership-transfer-view.ts'
import { transferOwnershipAs } from '#shared/staff/ownership/transfer-ownership.ts'
import { lockRoster } from '#shared/staff/roster.ts'
import type { TransferOwnershipRequest } from './schemas.ts'

/** Transfers the store after its owner has entered the password, and a code if there is a second factor. */
export async function transferOwnershipByPassword(
  unitOfWork: UnitOfWork,
  storeId: string,
  { id, isOwner }: StaffCaller,
  body: Static<typeof TransferOwnershipRequest>,
): Promise<Static<typeof OwnershipTransferView>> {
  if (!isOwner) throw StaffErrors.ownerOnly()
  return reauthenticate(storeId, { type: 'staff', id }, proofOf(body), (lock) =>
    unitOfWork.inStore(storeId, async (tx) => {
      // Lock the roster first, as every change of staff does, because another sequence could deadlock.
      await lockRoster(tx)
      await lock(tx)
      const request = { successorId: body.user_id, deactivateProviders: deactivateStaffIdentityProviders }
      return viewOwnershipTransfer(await transferOwnershipAs(tx, id, request))
    }),
  )
}
