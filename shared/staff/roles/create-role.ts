import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { RoleErrors } from '#shared/staff/errors.ts'
import { isPreset, type Right } from '#shared/staff/rights.ts'
import { Role } from '#shared/staff/role.ts'
import { assertHoldsRights, lockActor } from '#shared/staff/roster.ts'

export interface RoleDraft {
  name: string
  rights: Right[]
}

const MAX_ROLES = 100

/** Creates a custom role. Throws `role.name_taken`, `role.limit_reached` and `user.privilege_escalation`. */
export async function createRole(tx: StoreTx, actorId: string, { name, rights }: RoleDraft): Promise<Role> {
  const actor = await lockActor(tx, actorId, 'users:write')
  assertHoldsRights(actor, rights)
  await assertNameFree(tx, name)
  await assertBelowLimit(tx, Role.in(tx), MAX_ROLES, RoleErrors.limitReached)
  const at = now()
  return Role.in(tx).insert({ name, rights, createdAt: at, updatedAt: at })
}

/** Throws `role.name_taken` if a preset or another role of the store has the name. The caller has locked the roster. */
export async function assertNameFree(tx: StoreTx, name: string): Promise<void> {
  if (isPreset(name) || (await Role.in(tx).findOne({ name }))) throw RoleErrors.nameTaken()
}
