import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockStore } from '#shared/stores/store.ts'
import { assertAdminRemains } from './assert-admin-remains.ts'
import { StaffErrors } from './errors.ts'
import { assertMay } from './may.ts'
import { rightsOfRole } from './role.ts'
import { type Holder, holds, isAdmin, type Right } from './roles.ts'
import { lockStaffMember, StaffMember } from './staff-member.ts'

/**
 * Lets the changes to a store's staff and roles be made one after another, until the transaction ends. Whoever asks
 * "is there another administrator?" or "does anyone have this role?" would otherwise miss what is under way.
 */
export async function lockRoster(tx: StoreTx): Promise<void> {
  await lockStore(tx)
}

/** Locks the roster and returns whoever acts, who must be the store's owner at this moment: `user.owner_only`. */
export async function lockOwner(tx: StoreTx, actorId: string): Promise<StaffMember> {
  await lockRoster(tx)
  const member = await StaffMember.in(tx).findById(actorId)
  if (!member?.isOwner) throw StaffErrors.ownerOnly()
  return member
}

/** A staff member with what their role may do at this moment. */
export interface Actor extends Holder {
  member: StaffMember
}

/**
 * Locks the roster and reads whom a change to it comes from: their role may have changed since the request was let
 * in. Throws `auth.session_revoked` and `auth.forbidden` when they may change staff no more.
 */
export async function lockActor(tx: StoreTx, actorId: string, right: Right): Promise<Actor> {
  await lockRoster(tx)
  const actor = await readActor(tx, actorId)
  assertMay(actor, right)
  return actor
}

/** Reads whom a change comes from, for who has locked the roster. */
async function readActor(tx: StoreTx, actorId: string): Promise<Actor> {
  const member = await StaffMember.in(tx).findById(actorId)
  if (!member?.isActive) throw AuthErrors.sessionRevoked()
  return { member, rights: await rightsOfRole(tx, member.role) }
}

/**
 * Nobody gives a right that they don't hold, nor changes what holds more than they do: throws
 * `user.privilege_escalation` (decisions, section 4).
 */
export function assertCovers(actor: Holder, ...reached: (readonly Right[])[]): void {
  if (!reached.every((rights) => holds(actor, rights))) throw StaffErrors.privilegeEscalation()
}

/** Someone who changes a member of the staff, maybe themself, with the roster locked. */
export interface ActorAndTarget {
  actor: Actor
  target: Actor
}

/** What a change makes of its target; null when it is to be no member any more. */
export type Outcome = { isActive: boolean; rights: readonly Right[] } | null

/** Locks the roster and reads both as they are now; 404 `resource.not_found` when the store has no such member. */
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

const withRights = async (tx: StoreTx, member: StaffMember): Promise<Actor> => ({
  member,
  rights: await rightsOfRole(tx, member.role),
})

/**
 * Holds a change of a member of the staff to the rules (decisions, section 4): the owner is changed by the owner alone
 * and neither leaves nor loses the role; an administrator remains; whoever acts still may; nobody changes someone who
 * holds more than they do.
 */
export async function assertMayChangeMember(
  tx: StoreTx,
  { actor, target }: ActorAndTarget,
  outcome: Outcome,
): Promise<void> {
  const { id, isOwner, isActive } = target.member
  if (isOwner && actor.member.id !== id) throw StaffErrors.ownerProtected()
  const wasAdmin = isActive && isAdmin(target)
  if (wasAdmin && !isStillAdmin(outcome)) await assertAdminRemains(tx, { memberId: id })
  if (isOwner && !isStillAdmin(outcome)) throw StaffErrors.ownerStays()
  if (!actor.member.isActive) throw AuthErrors.sessionRevoked()
  assertMay(actor, 'users:write')
  assertCovers(actor, target.rights, outcome?.rights ?? [])
}

const isStillAdmin = (outcome: Outcome): boolean => outcome?.isActive === true && isAdmin(outcome)
