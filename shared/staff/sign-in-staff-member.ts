import { AuthErrors } from '../accounts/errors.ts'
import { openSession, type TokenPair } from '../accounts/open-session.ts'
import type { Device } from '../accounts/session.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { StaffCredentials } from './find-credentials.ts'
import { StaffMember } from './staff-member.ts'

/** Signs in a staff member whose password was right a moment ago. Throws `auth.invalid_credentials` if that changed. */
export async function signInStaffMember(
  tx: StoreTx,
  { id, passwordHash }: StaffCredentials,
  device: Device,
): Promise<{ member: StaffMember; tokens: TokenPair }> {
  // Locked, so that a change of password which closes all sessions comes either before this one or sees it.
  const member = await StaffMember.in(tx).findById(id).forShare()
  if (!member?.isActive || member.passwordHash !== passwordHash) throw AuthErrors.invalidCredentials()
  return { member, tokens: await openSession(tx, { type: 'staff', id }, device) }
}
