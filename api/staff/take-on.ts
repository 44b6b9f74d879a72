import type { Static } from 'typebox'
import { hashPassword } from '#shared/accounts/password.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { addStaffMember } from '#shared/staff/add-staff-member.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import type { CreateUserRequest } from './schemas.ts'

/** Takes someone on with a password of the caller's choice. The hash is made first: no connection waits for it. */
export async function takeOn(
  storeId: string,
  actorId: string,
  { password, ...given }: Static<typeof CreateUserRequest>,
): Promise<StaffMember> {
  const passwordHash = await hashPassword(password)
  return inStore(storeId, (tx) => addStaffMember(tx, actorId, { ...given, passwordHash }))
}
