import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertMayChange } from './assert-may-change.ts'
import { findIdentityProvider, type IdentityProvider, lockIdentityProvider } from './identity-provider.ts'

/** Locks a provider that a staff member may change. Throws like `assertMayChange`. */
export async function lockIdentityProviderAs(
  tx: StoreTx,
  actorId: string,
  id: string,
): Promise<IdentityProvider> {
  // The audience never changes, so it can be read before the lock.
  await assertMayChange(tx, actorId, await findIdentityProvider(tx, id))
  return lockIdentityProvider(tx, id)
}
