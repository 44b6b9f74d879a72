import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'
import { RoleErrors, StaffErrors } from './errors.ts'
import { Role } from './role.ts'
import { isPreset, OWNER_ROLE, type Right, rightsOf } from './roles.ts'

/** A store's own roles, by name. */
export const listOwnRoles = (tx: StoreTx): Promise<Role[]> => Role.in(tx).orderBy('name').execute()

/** One of the store's own roles; 404 `resource.not_found` when it has none with that id. */
export async function findOwnRole(tx: StoreTx, id: string): Promise<Role> {
  const role = isUuid(id) ? await Role.in(tx).findById(id) : undefined
  if (!role) throw CommonErrors.notFound()
  return role
}

/** The same, to change it: throws `role.preset_protected` for a preset. */
export async function findChangeableRole(tx: StoreTx, id: string): Promise<Role> {
  if (isPreset(id)) throw RoleErrors.presetProtected()
  return findOwnRole(tx, id)
}

/** What a role may do in this store, a preset or one of its own; nothing when there is no such role. */
export async function rightsOfRole(tx: StoreTx, name: string): Promise<readonly Right[]> {
  const own = isPreset(name) ? undefined : await Role.in(tx).findOne({ name })
  return rightsOf(name, own?.rights)
}

/**
 * What a role may do that someone is about to be given. The owner's is not given: throws `user.owner_protected`; 422
 * for a role that there is not.
 */
export async function rightsOfGivenRole(tx: StoreTx, name: string): Promise<readonly Right[]> {
  if (name === OWNER_ROLE) throw StaffErrors.ownerProtected()
  if (isPreset(name)) return rightsOf(name)
  const own = await Role.in(tx).findOne({ name })
  if (!own) throw invalid(['role'], 'There is no such role: GET /admin/roles lists them', name)
  return rightsOf(name, own.rights)
}
