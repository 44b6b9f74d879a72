import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RoleErrors } from './errors.ts'
import { findChangeableRole, Role } from './role.ts'
import { knownRights } from './roles.ts'
import { assertCovers, lockActor } from './roster.ts'
import { isAnyonesRole } from './update-role.ts'

/** Deletes one of the store's own roles that nobody has. Throws `role.in_use` and `role.preset_protected`. */
export async function deleteRole(tx: StoreTx, actorId: string, id: string): Promise<void> {
  const actor = await lockActor(tx, actorId, 'users:write')
  const role = await findChangeableRole(tx, id)
  assertCovers(actor, knownRights(role.rights))
  if (await isAnyonesRole(tx, role)) throw RoleErrors.inUse()
  await Role.in(tx).deleteById(id)
}
