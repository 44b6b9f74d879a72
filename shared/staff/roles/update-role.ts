import { nextUpdatedAt, nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { assertAdminRemains } from '#shared/staff/assert-admin-remains.ts'
import type { FindIntegrations } from '#shared/staff/integration.ts'
import { holds, isAdmin, knownRights } from '#shared/staff/rights.ts'
import { findChangeableRole, isRoleAssigned, Role } from '#shared/staff/role.ts'
import { assertHoldsRights, lockActor } from '#shared/staff/roster.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import { assertNameFree, type RoleDraft } from './create-role.ts'
import { mailIntegrationsOfRole } from './mail-integrations-of-role.ts'

interface RoleChangeContext {
  ifMatch?: string | undefined
  findIntegrations: FindIntegrations
}

/**
 * Changes a custom role, for everyone who has it. If it loses rights, the owner and the actor are mailed which
 * integrations of its members remain. Throws `role.preset_protected`, `role.name_taken`, `user.privilege_escalation`,
 * `user.last_admin`, and `resource.changed`.
 */
export async function updateRole(
  tx: StoreTx,
  actorId: string,
  id: string,
  { name, rights }: Partial<RoleDraft>,
  { ifMatch, findIntegrations }: RoleChangeContext,
): Promise<Role> {
  const actor = await lockActor(tx, actorId, 'users:write')
  const role = await findChangeableRole(tx, id)
  assertUnchanged(role, ifMatch)
  const held = knownRights(role.rights)
  assertHoldsRights(actor, held, rights ?? [])
  if (rights && isAdmin({ rights: held }) && !isAdmin({ rights }) && (await isRoleAssigned(tx, role)))
    await assertAdminRemains(tx, { role: role.name })
  if (rights && !holds({ rights }, held))
    await mailIntegrationsOfRole(tx, actor, role, rights, findIntegrations)
  if (name && name !== role.name) await rename(tx, role, name)
  return Role.in(tx).patchAndFetchById(id, { name, rights, updatedAt: nextUpdatedAt(role) })
}

async function rename(tx: StoreTx, role: Role, name: string): Promise<void> {
  await assertNameFree(tx, name)
  await StaffMember.in(tx).where({ role: role.name }).patch({ role: name, updatedAt: nextUpdatedAtSql() })
}
