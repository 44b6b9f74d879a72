import { normalizeEmail } from '../accounts/email.ts'
import { hashPassword } from '../accounts/password.ts'
import { now } from '../platform/clock.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { enterDirectory } from './directory.ts'
import { StaffMember } from './staff-member.ts'

export interface NewStaffMember {
  email: string
  firstname: string
  lastname: string
  role: string
  isOwner?: boolean
}

/** Takes someone on. Throws `auth.email_taken`: a staff member's address is unique on the platform. */
export async function createStaffMember(
  tx: StoreTx,
  { password, ...given }: NewStaffMember & { password: string },
): Promise<StaffMember> {
  return insertStaffMember(tx, { ...given, passwordHash: await hashPassword(password) })
}

/** As `createStaffMember`, for a password hashed before the transaction began, so that no connection waits for it. */
export async function insertStaffMember(
  tx: StoreTx,
  { isOwner = false, ...given }: NewStaffMember & { passwordHash: string },
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
