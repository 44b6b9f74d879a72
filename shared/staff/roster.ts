import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockStore } from '#shared/stores/store.ts'
import { assertAdminRemains } from './assert-admin-remains.ts'
import { StaffErrors } from './errors.ts'
import { assertMay, holds, isAdmin, type Right, type RightsHolder } from './rights.ts'
import { rightsOfRole } from './role.ts'
import { lockStaffMember, StaffMember } from './staff-member.ts'

/**
 * Locks the store's staff and roles until the end of the transaction. Otherwise the checks "another administrator
 * remains" and "nobody has this role" would miss concurrent changes.
 */
export async function lockRoster(tx: StoreTx): Promise<void> {
  await lockStore(tx)
}

/** Locks the roster and returns the actor. Throws `user.owner_only` if the actor is not the store's owner now. */
export async function lockOwner(tx: StoreTx, actorId: string): Promise<StaffMember> {
  await lockRoster(tx)
  const member = await StaffMember.in(tx).findById(actorId)
  if (!member?.isOwner) throw StaffErrors.ownerOnly()
  return member
}

/** A staff member with the current rights of the role. */
export interface StaffActor extends RightsHolder {
  member: StaffMember
}

/**
 * Locks the roster and reads the actor again, because the role may have changed since the request was authenticated.
 * Throws `auth.session_revoked`, and `auth.forbidden` if the actor no longer has all of these rights.
 */
export async function lockActor(
  tx: StoreTx,
  actorId: string,
  ...rights: readonly Right[]
): Promise<StaffActor> {
  await lockRoster(tx)
  const actor = await readActor(tx, actorId)
  assertMay(actor, ...rights)
  return actor
}

/** Reads the actor. The caller has locked the roster. */
async function readActor(tx: StoreTx, actorId: string): Promise<StaffActor> {
  const member = await StaffMember.in(tx).findById(actorId)
  if (!member?.isActive) throw AuthErrors.sessionRevoked()
  return { member, rights: await rightsOfRole(tx, member.role) }
}

/**
 * Throws `user.privilege_escalation` if the actor lacks a right of one of these sets. Nobody grants a right that they
 * do not have, or changes an account with more rights.
 */
export function assertHoldsRights(actor: RightsHolder, ...rightSets: (readonly Right[])[]): void {
  if (!rightSets.every((rights) => holds(actor, rights))) throw StaffErrors.privilegeEscalation()
}

/** The actor and the target of a change, with the roster locked. They can be the same person. */
export interface ActorAndTarget {
  actor: StaffActor
  target: StaffActor
}

/** The target after the change; null if it is removed. */
export type Outcome = { isActive: boolean; rights: readonly Right[] } | null

/**
 * Locks the roster and reads the present state of actor and target. Throws `resource.not_found` for an unknown target,
 * and `auth.session_revoked` for a removed actor.
 */
export async function lockActorAndTarget(
  tx: StoreTx,
  actorId: string,
  targetId: string,
): Promise<ActorAndTarget> {
  await lockRoster(tx)
  const member = await lockStaffMember(tx, targetId)
  const acting = await StaffMember.in(tx).findById(actorId)
  if (!acting) throw AuthErrors.sessionRevoked()
  const [target, actor] = await Promise.all([withRights(tx, member), withRights(tx, acting)])
  return { actor, target }
}

const withRights = async (tx: StoreTx, member: StaffMember): Promise<StaffActor> => ({
  member,
  rights: await rightsOfRole(tx, member.role),
})

/**
 * Checks the rules for a change of a staff member. Only the owner changes the owner's account, and the owner cannot
 * leave or lose the role. An administrator remains. The actor still has the right, and all rights of the target.
 */
export async function assertMayChangeMember(
  tx: StoreTx,
  { actor, target }: ActorAndTarget,
  outcome: Outcome,
): Promise<void> {
  const { id, isOwner } = target.member
  if (isOwner && actor.member.id !== id) throw StaffErrors.ownerProtected()
  await assertOwnerAndAdminRemain(tx, target, outcome)
  if (!actor.member.isActive) throw AuthErrors.sessionRevoked()
  assertMay(actor, 'users:write')
  assertHoldsRights(actor, target.rights, outcome?.rights ?? [])
}

/**
 * Throws `user.last_admin` if the store would have no administrator after a change of a staff member, and
 * `user.owner_protected` if the owner would leave or lose the role. The caller has locked the roster.
 */
export async function assertOwnerAndAdminRemain(
  tx: StoreTx,
  target: StaffActor,
  outcome: Outcome,
): Promise<void> {
  const { id, isOwner, isActive } = target.member
  const wasAdmin = isActive && isAdmin(target)
  if (wasAdmin && !isStillAdmin(outcome)) await assertAdminRemains(tx, { memberId: id })
  if (isOwner && !isStillAdmin(outcome)) throw StaffErrors.ownerStays()
}

const isStillAdmin = (outcome: Outcome): boolean => outcome?.isActive === true && isAdmin(outcome)
