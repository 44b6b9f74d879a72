import { type Static, Type } from 'typebox'
import { isUuid } from '#shared/platform/db/id.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'
import { invalid } from '#shared/platform/validation.ts'
import { RoleErrors, StaffErrors } from './errors.ts'
import { isPreset, knownRights, OWNER_ROLE, RIGHTS, type Right, rightsOf } from './rights.ts'
import { StaffMember } from './staff-member.ts'

/** A custom role of a store. A staff member's `role` is its name, or that of a preset. */
export class Role extends StoreModel {
  static override tableName = 'roles'

  declare name: string
  declare rights: string[]
  declare createdAt: Date
  declare updatedAt: Date
}

/** Returns a custom role. Throws `resource.not_found` if it does not exist. */
export async function findCustomRole(tx: StoreTx, id: string): Promise<Role> {
  return assertFound(isUuid(id) ? await Role.in(tx).findById(id) : undefined)
}

/** Returns a custom role that can be changed. Throws `resource.not_found`, and `role.preset_protected` for a preset. */
export async function findChangeableRole(tx: StoreTx, id: string): Promise<Role> {
  if (isPreset(id)) throw RoleErrors.presetProtected()
  return findCustomRole(tx, id)
}

/** Whether a staff member has the role. */
export const isRoleAssigned = async (tx: StoreTx, { name }: Role): Promise<boolean> =>
  Boolean(await StaffMember.in(tx).findOne({ role: name }))

/** Returns the rights of a preset or custom role; none for an unknown one. */
export async function rightsOfRole(tx: StoreTx, name: string): Promise<readonly Right[]> {
  const custom = isPreset(name) ? undefined : await Role.in(tx).findOne({ name })
  return rightsOf(name, custom?.rights)
}

/**
 * Returns the rights of a role to assign. Throws `user.owner_protected` for the owner's role, which must be transferred
 * instead, and 422 for an unknown role.
 */
export async function rightsOfAssignableRole(tx: StoreTx, name: string): Promise<readonly Right[]> {
  if (name === OWNER_ROLE) throw StaffErrors.ownerProtected()
  if (isPreset(name)) return rightsOf(name)
  const custom = await Role.in(tx).findOne({ name })
  if (!custom) throw invalid(['role'], 'This role does not exist. Choose one of GET /admin/roles', name)
  return rightsOf(name, custom.rights)
}

export const RightsView = Type.Array(Type.Enum([...RIGHTS]), {
  description: 'Areas as `sales:read`, and the single rights `refund` and `mark_paid`',
})

/** The role of a member, by its name. */
export const RoleOfMember = Type.String({
  maxLength: 40,
  description: 'Name of a preset or of a custom role',
})

export const RoleView = Shape({
  id: Type.String({ description: 'A UUID; of a preset, its name' }),
  name: Type.String({ description: "The value of a user's `role`" }),
  rights: RightsView,
  is_preset: Type.Boolean(),
  created_at: Nullable(Timestamp),
  updated_at: Nullable(Timestamp),
})

export const viewRole = (
  role: Pick<Role, 'id' | 'name' | 'rights' | 'createdAt' | 'updatedAt'>,
): Static<typeof RoleView> => ({
  id: role.id,
  name: role.name,
  rights: knownRights(role.rights),
  is_preset: false,
  created_at: toTimestamp(role.createdAt),
  updated_at: toTimestamp(role.updatedAt),
})

/** Returns a preset role. */
export const viewPreset = (name: string): Static<typeof RoleView> => ({
  id: name,
  name,
  rights: [...rightsOf(name)],
  is_preset: true,
  created_at: null,
  updated_at: null,
})
