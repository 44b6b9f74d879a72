import type { Device } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { twoFactorSwitchedMail } from '#shared/identity/mails/two-factor-switched.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import { deleteSecondFactor, readTwoFactor } from '#shared/identity/two-factor/two-factor.ts'
import { queueMail, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { assertMayChangeMember, lockActorAndTarget, lockRoster } from '#shared/staff/roster.ts'
import { findOwner, type StaffMember } from '#shared/staff/staff-member.ts'

/**
 * Turns off two-factor authentication of another staff member, who has lost the app and the recovery codes. Throws
 * `user.own_two_factor`, `user.owner_protected`, `user.privilege_escalation` and `auth.totp_not_enabled`.
 */
export async function resetTwoFactor(
  tx: StoreTx,
  actorId: string,
  id: string,
  device: Device,
): Promise<void> {
  const locked = await lockActorAndTarget(tx, actorId, id)
  const { actor, target } = locked
  await assertMayChangeMember(tx, locked, { isActive: target.member.isActive, rights: target.rights })
  // Switching off one's own needs a code, because a stolen session must not be enough.
  if (actor.member.id === target.member.id) throw StaffErrors.ownTwoFactor()
  await reset(tx, target.member, device)
}

/** Turns off two-factor authentication of the owner, on behalf of a super-admin. */
export async function resetOwnersTwoFactor(tx: StoreTx, device: Device): Promise<void> {
  await lockRoster(tx)
  await reset(tx, await findOwner(tx), device)
}

/**
 * Turns off two-factor authentication, closes all sessions and notifies the staff member, because somebody may have
 * found the lost device.
 */
async function reset(tx: StoreTx, { id, email }: StaffMember, device: Device): Promise<void> {
  const account = { type: 'staff', id } as const
  if (!(await readTwoFactor(tx, account)).isEnabled) throw AuthErrors.totpNotEnabled()
  await deleteSecondFactor(tx, account)
  await closeSessionsOfAccount(tx, account, 'revoked')
  await recordSecurityEvent(tx, 'two_factor_reset', account, device)
  await queueMail(tx, twoFactorSwitchedMail, toRecipient({ id, email }), {
    is_on: false,
    ...deviceFacts(device),
  })
}
