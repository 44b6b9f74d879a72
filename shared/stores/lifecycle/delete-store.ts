import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { transitionStore } from './transition-store.ts'

/** Closes every session in the store. Stores may not import sessions, so the caller passes this function in. */
export type CloseSessions = (tx: StoreTx) => Promise<unknown>

/**
 * Soft-deletes the store and closes its sessions. After the commit, login and refresh throw `auth.tenant_unavailable`.
 * A sign-in in progress can still open a session, which a restoration closes. Throws `store.invalid_transition`, also
 * during a purge.
 */
export async function deleteStore(tx: StoreTx, closeSessions: CloseSessions): Promise<Store> {
  const deleted = await transitionStore(tx, 'deleted')
  await closeSessions(tx)
  return deleted
}
