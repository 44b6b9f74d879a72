import type { Static } from 'typebox'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { addStaffMember } from '#shared/staff/add-staff-member.ts'
import { invite } from '#shared/staff/invite.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import type { CreateUserRequest } from './schemas.ts'

/** Adds a staff member. Without a password they are invited to set one. */
export async function createStaffMember(
  tx: StoreTx,
  actorId: string,
  { password, ...given }: Static<typeof CreateUserRequest>,
  passwordHash: string,
): Promise<StaffMember> {
  const member = await addStaffMember(tx, actorId, { ...given, passwordHash })
  if (!password) await invite(tx, member)
  return member
}
