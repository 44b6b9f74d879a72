import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { actOnRoster, assertCovers } from './acting.ts'
import { isAnyonesRole } from './change-role.ts'
import { RoleErrors } from './errors.ts'
import { findChangeableRole } from './find-role.ts'
import { Role } from './role.ts'
import { knownRights } from './roles.ts'

/** Deletes one of the store's own roles that nobody has. Throws `role.in_use` and `role.preset_protected`. */
export async function deleteRole(tx: StoreTx, actorId: string, id: string): Promise<void> {
  const actor = await actOnRoster(tx, actorId, 'users:write')
  const role = await findChangeableRole(tx, id)
  assertCovers(actor, knownRights(role.rights))
  if (await isAnyonesRole(tx, role)) throw RoleErrors.inUse()
  await Role.in(tx).deleteById(id)
}
