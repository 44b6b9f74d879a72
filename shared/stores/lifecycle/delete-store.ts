import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { transitionStore } from './transition-store.ts'

/** Closes every session in the store. Sessions belong to a later domain, so the caller passes its function in. */
export type SignOutEveryone = (tx: StoreTx) => Promise<unknown>

/**
 * Deletes the store softly and signs everyone out. From the commit on, login and refresh throw
 * `auth.tenant_unavailable`. Throws `store.invalid_transition` and `store.under_purge`.
 */
export async function deleteStore(tx: StoreTx, signOutEveryone: SignOutEveryone): Promise<Store> {
  const deleted = await transitionStore(tx, 'deleted')
  await signOutEveryone(tx)
  return deleted
}
