import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockOwner } from '#shared/staff/roster.ts'
import type { Audience } from './identity-provider.ts'

/**
 * Who says who the staff are can be any of them, the owner too. So that is the owner's business alone: throws
 * `user.owner_only`. It is who owns the store now, not when they were let in, and stays so until the transaction ends;
 * for that it locks the roster, before any provider.
 */
export async function assertMayChange(
  tx: StoreTx,
  actorId: string,
  { audience }: { audience: Audience },
): Promise<void> {
  if (audience === 'staff') await lockOwner(tx, actorId)
}
