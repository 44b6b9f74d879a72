import { normalizeEmail } from '#shared/identity/email.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { claimStaffEmail } from '#shared/staff/staff-email.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'

export interface NewStaffMember {
  email: string
  firstname: string
  lastname: string
  role: string
  passwordHash: string
  isOwner?: boolean
}

/**
 * Inserts a staff member. Hash the password before the transaction, so that no connection waits for it. Throws
 * `auth.email_taken`, because a staff member's address is unique on the platform.
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
    // A super-admin gives the address of an owner.
    verifiedAt: isOwner ? at : null,
    createdAt: at,
    updatedAt: at,
  })
  await claimStaffEmail(tx, member, emailNormalized)
  return member
}
