import { unlinkAccount } from '#shared/identity/identity-link.ts'
import { revokeAccess } from '#shared/identity/sessions/revoke-access.ts'
import { deleteSecondFactor } from '#shared/identity/two-factor/two-factor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { FindIntegrations } from '#shared/staff/integration.ts'
import type { ActorAndTarget } from '#shared/staff/roster.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import { mailRemainingIntegrations } from './mail-remaining-integrations.ts'

/** Removes a staff member. The caller has locked the roster and checked that the actor may do it. */
export async function removeStaffMember(
  tx: StoreTx,
  locked: ActorAndTarget,
  findIntegrations: FindIntegrations,
): Promise<void> {
  const { id } = locked.target.member
  const account = { type: 'staff', id } as const
  await revokeAccess(tx, account, 'removed')
  await deleteSecondFactor(tx, account)
  await unlinkAccount(tx, account)
  // The entry in the directory is deleted by its foreign key.
  await StaffMember.in(tx).deleteById(id)
  await mailRemainingIntegrations(tx, locked, null, findIntegrations)
}
