import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { insertStaffMember } from '#shared/staff/members/insert-staff-member.ts'
import { invite } from '#shared/staff/members/invite.ts'
import { OWNER_ROLE } from '#shared/staff/rights.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'

export interface NewOwner {
  email: string
  firstname: string
  lastname: string
  passwordHash: string
  /** Mails a link to choose a password. */
  sendsInvitation: boolean
}

/** Creates the owner of a new store. Throws `auth.email_taken`. */
export async function createOwner(
  tx: StoreTx,
  { sendsInvitation, ...person }: NewOwner,
): Promise<StaffMember> {
  const owner = await insertStaffMember(tx, { ...person, role: OWNER_ROLE, isOwner: true })
  if (sendsInvitation) await invite(tx, owner)
  return owner
}
