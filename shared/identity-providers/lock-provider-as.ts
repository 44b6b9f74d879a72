import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertMayChange } from './assert-may-change.ts'
import { findProvider, type IdentityProvider, lockProvider } from './identity-provider.ts'

/** Locks a provider that a staff member may change. Throws like `assertMayChange`. */
export async function lockProviderAs(tx: StoreTx, actorId: string, id: string): Promise<IdentityProvider> {
  // The audience never changes, so it can be read before the lock.
  await assertMayChange(tx, actorId, await findProvider(tx, id))
  return lockProvider(tx, id)
}
