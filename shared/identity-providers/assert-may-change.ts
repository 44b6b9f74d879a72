import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { OPENS_CUSTOMER_ACCOUNTS } from '#shared/staff/rights.ts'
import { lockActor, lockOwner } from '#shared/staff/roster.ts'
import type { ProviderAudience } from './identity-provider.ts'

/**
 * Throws if a staff member may not change a provider for this audience. A provider for staff can sign in to every staff
 * account, so only the owner may change it: `user.owner_only`. A provider for customers can sign in to every customer's
 * account, so it needs the rights to open them: `auth.forbidden`. It locks the roster before any provider, so that
 * owner and rights stay until the commit.
 */
export async function assertMayChange(
  tx: StoreTx,
  actorId: string,
  { audience }: { audience: ProviderAudience },
): Promise<void> {
  if (audience === 'staff') await lockOwner(tx, actorId)
  else await lockActor(tx, actorId, ...OPENS_CUSTOMER_ACCOUNTS)
}
