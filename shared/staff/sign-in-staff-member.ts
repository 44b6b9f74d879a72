import { AuthErrors } from '../accounts/errors.ts'
import { openSession, type TokenPair } from '../accounts/open-session.ts'
import type { Device } from '../accounts/session.ts'
import { passSecondFactor, type SecondFactor } from '../accounts/two-factor/second-factor.ts'
import { noticeUnknownDevice } from '../accounts/unknown-device.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { StaffCredentials } from './find-credentials.ts'
import { StaffMember } from './staff-member.ts'

/**
 * Signs in a staff member whose password was right a moment ago. Throws `auth.invalid_credentials` if that has
 * changed, `auth.totp_required` and `auth.totp_invalid` where two-factor sign-in is on.
 */
export async function signInStaffMember(
  tx: StoreTx,
  { id, passwordHash }: StaffCredentials,
  device: Device,
  secondFactor: SecondFactor = {},
): Promise<{ member: StaffMember; tokens: TokenPair }> {
  // Locked, so that a change of password which closes all sessions comes either before this one or sees it.
  const member = await StaffMember.in(tx).findById(id).forShare()
  if (!member?.isActive || member.passwordHash !== passwordHash) throw AuthErrors.invalidCredentials()
  const account = { type: 'staff', id } as const
  await passSecondFactor(tx, account, secondFactor)
  await noticeUnknownDevice(tx, account, { email: member.email, language: null }, device)
  return { member, tokens: await openSession(tx, account, device) }
}
