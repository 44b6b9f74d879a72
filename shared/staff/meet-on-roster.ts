import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Acting, assertCovers } from './acting.ts'
import { assertAdminRemains } from './assert-admin-remains.ts'
import { StaffErrors } from './errors.ts'
import { rightsOfRole } from './find-role.ts'
import { lockStaffMember } from './find-staff-member.ts'
import { lockRoster } from './lock-roster.ts'
import { assertMay } from './may.ts'
import { isAdmin, type Right } from './roles.ts'
import { StaffMember } from './staff-member.ts'

/** Someone who changes a member of the staff, maybe themself, with the roster locked. */
export interface Meeting {
  actor: Acting
  target: Acting
}

/** What a change makes of its target; null when it is to be no member any more. */
export type Outcome = { isActive: boolean; rights: readonly Right[] } | null

/** Locks the roster and reads both as they are now; 404 `resource.not_found` when the store has no such member. */
export async function meetOnRoster(tx: StoreTx, actorId: string, targetId: string): Promise<Meeting> {
  await lockRoster(tx)
  const member = await lockStaffMember(tx, targetId)
  const acting = await StaffMember.in(tx).findById(actorId)
  if (!acting) throw AuthErrors.sessionRevoked()
  const [target, actor] = await Promise.all([withRights(tx, member), withRights(tx, acting)])
  return { actor, target }
}

const withRights = async (tx: StoreTx, member: StaffMember): Promise<Acting> => ({
  member,
  rights: await rightsOfRole(tx, member.role),
})

/**
 * Holds a change of a member of the staff to the rules (decisions, section 4): the owner is changed by the owner alone
 * and neither leaves nor loses the role; an administrator remains; whoever acts still may; nobody changes someone who
 * holds more than they do.
 */
export async function assertMayChange(
  tx: StoreTx,
  { actor, target }: Meeting,
  outcome: Outcome,
): Promise<void> {
  const { id, isOwner, isActive } = target.member
  if (isOwner && (actor.member.id !== id || !isStillAdmin(outcome))) throw StaffErrors.ownerProtected()
  const wasAdmin = isActive && isAdmin(target)
  if (wasAdmin && !isStillAdmin(outcome)) await assertAdminRemains(tx, { memberId: id })
  if (!actor.member.isActive) throw AuthErrors.sessionRevoked()
  assertMay(actor, 'users:write')
  assertCovers(actor, target.rights, outcome?.rights ?? [])
}

const isStillAdmin = (outcome: Outcome): boolean => outcome?.isActive === true && isAdmin(outcome)
