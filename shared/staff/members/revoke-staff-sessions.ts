import type { Device } from '#shared/identity/device.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertMayChangeMember, lockActorAndTarget } from '#shared/staff/roster.ts'

/** Closes all sessions of a staff member. Throws `user.owner_protected` and `user.privilege_escalation`. */
export async function revokeStaffSessions(
  tx: StoreTx,
  actorId: string,
  id: string,
  device: Device,
): Promise<void> {
  const locked = await lockActorAndTarget(tx, actorId, id)
  const { member, rights } = locked.target
  await assertMayChangeMember(tx, locked, { isActive: member.isActive, rights })
  const account = { type: 'staff', id } as const
  await closeSessionsOfAccount(tx, account, 'revoked')
  await recordSecurityEvent(tx, 'sessions_revoked', account, device)
}
