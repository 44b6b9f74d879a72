import { AuthErrors } from '../accounts/errors.ts'
import { letIn } from '../accounts/let-in.ts'
import type { TokenPair } from '../accounts/open-session.ts'
import type { Device } from '../accounts/session.ts'
import type { SecondFactor } from '../accounts/two-factor/second-factor.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { StaffCredentials } from './find-credentials.ts'
import { StaffMember } from './staff-member.ts'

// Locked, so that a change of password which closes all sessions comes either before this one or sees it.
const LOCK = {
  name: 'lock_staff_member',
  text: `
    select id, email, email_normalized, password_hash, firstname, lastname, role, is_owner, is_active, created_at,
      updated_at
    from staff_members
    where store_id = current_setting('app.store_id')::uuid and id = $1 and password_hash = $2 and is_active
    for share`,
}

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
  const [row] = await tx.prepared<object>(LOCK, [id, passwordHash])
  if (!row) throw AuthErrors.invalidCredentials()
  const member = StaffMember.fromDatabaseJson(row)
  const account = { type: 'staff', id } as const
  return {
    member,
    tokens: await letIn(tx, account, { email: member.email, language: null }, device, secondFactor),
  }
}
