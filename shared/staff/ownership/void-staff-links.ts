import { voidLinksOfAccounts } from '#shared/identity/links/link.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'

/** Voids the unused links of invitations, new passwords and new addresses that were mailed to the store's staff. */
export async function voidStaffLinks(tx: StoreTx): Promise<void> {
  // Lock the accounts: a link that is being issued would otherwise be missed.
  const staff = await StaffMember.in(tx).select('id').orderBy('id').forNoKeyUpdate()
  await voidLinksOfAccounts(
    tx,
    'staff',
    staff.map(({ id }) => id),
  )
}
