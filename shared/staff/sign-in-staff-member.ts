import { AuthErrors } from '#shared/identity/errors.ts'
import type { TokenPair } from '#shared/identity/sessions/open-session.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { letIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import { letInAtOnce, opensAtOnce } from '#shared/identity/sign-in/let-in-at-once.ts'
import type { SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { StaffCredentials } from './find-credentials.ts'
import { StaffMember } from './staff-member.ts'

// Locked, so that a change of password which closes all sessions comes either before this one or sees it.
const lock = (id: string, passwordHash: string) => `
  select id, email, email_normalized, password_hash, firstname, lastname, role, is_owner, is_active, created_at,
    updated_at
  from staff_members
  where store_id = ${CURRENT_STORE} and id = ${id} and password_hash = ${passwordHash} and is_active
  for share`

const LOCK = { name: 'lock_staff_member', text: lock('$1', '$2') }
const AT_ONCE = opensAtOnce('sign_in_staff_member_at_once', lock)

interface SignedIn {
  member: StaffMember
  tokens: TokenPair
}

/**
 * Signs in a staff member whose password was right a moment ago. Throws `auth.invalid_credentials` if that has
 * changed, `auth.totp_required` and `auth.totp_invalid` where two-factor sign-in is on.
 */
export async function signInStaffMember(
  tx: StoreTx,
  { id, passwordHash }: Pick<StaffCredentials, 'id' | 'passwordHash'>,
  device: Device,
  secondFactor: SecondFactor = {},
): Promise<SignedIn> {
  const [row] = await tx.prepared<object>(LOCK, [id, passwordHash])
  if (!row) throw AuthErrors.invalidCredentials()
  const member = StaffMember.fromDatabaseJson(row)
  const account = { type: 'staff', id } as const
  return {
    member,
    tokens: await letIn(tx, account, { email: member.email, language: null }, device, secondFactor),
  }
}

/** The same in one statement, for a member of whom nothing more is to be asked; null for the rest. */
export async function signInStaffMemberAtOnce(
  { storeId, id, passwordHash }: StaffCredentials,
  device: Device,
): Promise<SignedIn | null> {
  const account = { type: 'staff', id } as const
  const opened = await letInAtOnce(AT_ONCE, { storeId, account, passwordHash }, device)
  return opened && { member: StaffMember.ofJson(opened.row), tokens: opened.tokens }
}
