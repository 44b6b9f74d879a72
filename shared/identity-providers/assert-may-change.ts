import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockActor, lockOwner } from '#shared/staff/roster.ts'
import type { ProviderAudience } from './identity-provider.ts'

/**
 * A provider for staff can sign in to every staff account, the owner's too, so only the owner may change one: throws
 * `user.owner_only`. One for customers can sign in to every customer's account: throws `auth.forbidden` without the
 * right to change customers. It locks the roster before any provider, so that owner and rights stay until the commit.
 */
export async function assertMayChange(
  tx: StoreTx,
  actorId: string,
  { audience }: { audience: ProviderAudience },
): Promise<void> {
  if (audience === 'staff') await lockOwner(tx, actorId)
  else await lockActor(tx, actorId, 'customers:write')
}
