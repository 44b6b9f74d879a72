import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { FindIntegrations } from '#shared/staff/integration.ts'
import { assertOwnerAndAdminRemain, lockActorAndTarget } from '#shared/staff/roster.ts'
import { removeStaffMember } from './remove-staff-member.ts'

/**
 * Removes a staff member who leaves the store, as `deleteStaffMember` does, but needs no right: any store may add a
 * person's address. Throws `user.owner_protected` and `user.last_admin`.
 */
export async function leaveStore(tx: StoreTx, id: string, findIntegrations: FindIntegrations): Promise<void> {
  const locked = await lockActorAndTarget(tx, id, id)
  await assertOwnerAndAdminRemain(tx, locked.target, null)
  await removeStaffMember(tx, locked, findIntegrations)
}
