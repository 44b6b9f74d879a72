import type { Static } from 'typebox'
import { confirmPassword, lockConfirmed } from '#shared/identity/confirm-password.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { lockRoster } from '#shared/staff/lock-roster.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import { transferOwnership } from '#shared/staff/transfer-ownership.ts'
import { viewStaffMember } from '#shared/staff/view.ts'
import type { StaffMember as Caller } from '../platform/access.ts'
import type { Recorder } from '../platform/audit.ts'
import type { TransferRequest } from './schemas.ts'

/** Hands the store over once its owner has given their password. */
export async function handOver(
  storeId: string,
  { id, isOwner }: Caller,
  { user_id, current_password }: Static<typeof TransferRequest>,
  audited: Recorder,
): Promise<StaffMember> {
  if (!isOwner) throw StaffErrors.ownerOnly()
  const confirmed = await confirmPassword(storeId, { type: 'staff', id }, current_password)
  return inStore(storeId, async (tx) => {
    // The roster first, as whoever changes staff does: two locks in two orders would be a deadlock.
    await lockRoster(tx)
    await lockConfirmed(tx, confirmed)
    const owner = await transferOwnership(tx, id, user_id)
    await audited(tx, viewStaffMember(owner))
    return owner
  })
}
