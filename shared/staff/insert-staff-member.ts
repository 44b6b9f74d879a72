import { normalizeEmail } from '../accounts/email.ts'
import { now } from '../platform/clock.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { enterDirectory } from './directory.ts'
import { StaffMember } from './staff-member.ts'

export interface NewStaffMember {
  email: string
  firstname: string
  lastname: string
  role: string
  passwordHash: string
  isOwner?: boolean
}

/**
 * Takes someone on, by a password that was hashed before the transaction began, so that no connection waits for it.
 * Throws `auth.email_taken`: a staff member's address is unique on the platform.
 */
export async function insertStaffMember(
  tx: StoreTx,
  { isOwner = false, ...given }: NewStaffMember,
): Promise<StaffMember> {
  const at = now()
  const emailNormalized = normalizeEmail(given.email)
  const member = await StaffMember.in(tx).insert({
    ...given,
    emailNormalized,
    isOwner,
    isActive: true,
    createdAt: at,
    updatedAt: at,
  })
  await enterDirectory(tx, member.id, emailNormalized)
  return member
}
