import type { Static } from 'typebox'
import { hashPassword } from '#shared/accounts/password.ts'
import { randomToken } from '#shared/platform/crypto.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { addStaffMember } from '#shared/staff/add-staff-member.ts'
import { invite } from '#shared/staff/invite.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import { viewStaffMember } from '#shared/staff/view.ts'
import type { Recorder } from '../platform/audit.ts'
import type { CreateUserRequest } from './schemas.ts'

/**
 * Takes someone on, and invites them to choose a password where the caller chose none: until then it is one that
 * nobody knows. The hash is made first: no connection waits for it.
 */
export async function takeOn(
  storeId: string,
  actorId: string,
  { password, ...given }: Static<typeof CreateUserRequest>,
  audited: Recorder,
): Promise<StaffMember> {
  const passwordHash = await hashPassword(password ?? randomToken())
  return inStore(storeId, async (tx) => {
    const member = await addStaffMember(tx, actorId, { ...given, passwordHash })
    if (!password) await invite(tx, member)
    await audited(tx, viewStaffMember(member))
    return member
  })
}
