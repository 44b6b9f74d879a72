import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RoleErrors } from '#shared/staff/errors.ts'
import { knownRights } from '#shared/staff/rights.ts'
import { findChangeableRole, isRoleAssigned, Role } from '#shared/staff/role.ts'
import { assertHoldsRights, lockActor } from '#shared/staff/roster.ts'

/** Deletes a custom role that nobody has. Throws `role.in_use` and `role.preset_protected`. */
export async function deleteRole(tx: StoreTx, actorId: string, id: string): Promise<void> {
  const actor = await lockActor(tx, actorId, 'users:write')
  const role = await findChangeableRole(tx, id)
  assertHoldsRights(actor, knownRights(role.rights))
  if (await isRoleAssigned(tx, role)) throw RoleErrors.inUse()
  await Role.in(tx).deleteById(id)
}
