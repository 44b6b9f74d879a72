import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StaffErrors } from './errors.ts'
import { rightsOfRole } from './find-role.ts'
import { lockRoster } from './lock-roster.ts'
import { assertMay } from './may.ts'
import { type Holder, holds, type Right } from './roles.ts'
import { StaffMember } from './staff-member.ts'

/** A staff member with what their role may do at this moment. */
export interface Acting extends Holder {
  member: StaffMember
}

/**
 * Locks the roster and reads whom a change to it comes from: their role may have changed since the request was let
 * in. Throws `auth.session_revoked` and `auth.forbidden` when they may change staff no more.
 */
export async function actOnRoster(tx: StoreTx, actorId: string, right: Right): Promise<Acting> {
  await lockRoster(tx)
  const actor = await readActor(tx, actorId)
  assertMay(actor, right)
  return actor
}

/** Reads whom a change comes from, for who has locked the roster. */
async function readActor(tx: StoreTx, actorId: string): Promise<Acting> {
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
