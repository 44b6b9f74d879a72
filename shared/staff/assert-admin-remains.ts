import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StaffErrors } from './errors.ts'
import { isAdmin, PRESET_ROLES, rightsOf } from './rights.ts'
import { Role } from './role.ts'
import { StaffMember } from './staff-member.ts'

/**
 * Throws `user.last_admin` if no active staff member would have all rights without this staff member or role. The
 * caller has locked the roster, so this is still true at the commit.
 */
export async function assertAdminRemains(
  tx: StoreTx,
  without: { memberId?: string; role?: string },
): Promise<void> {
  const admins = StaffMember.in(tx)
    .where({ is_active: true })
    .whereIn(
      'role',
      (await adminRoles(tx)).filter((name) => name !== without.role),
    )
  if (without.memberId) admins.whereNot('id', without.memberId)
  if (!(await admins.first())) throw StaffErrors.lastAdmin()
}

/** Returns the names of the roles with all rights. */
async function adminRoles(tx: StoreTx): Promise<string[]> {
  const customRoles = await Role.in(tx)
  return [
    ...Object.keys(PRESET_ROLES).filter((name) => isAdmin({ rights: rightsOf(name) })),
    ...customRoles
      .filter(({ name, rights }) => isAdmin({ rights: rightsOf(name, rights) }))
      .map(({ name }) => name),
  ]
}
