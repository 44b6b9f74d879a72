import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockStoreExclusively, type Store } from '#shared/stores/store.ts'
import type { CloseSessions } from './delete-store.ts'
import { transitionStore } from './transition-store.ts'

/** Reopens a suspended or deleted store. Throws `store.invalid_transition` and `store.under_purge`. */
export async function restoreStore(tx: StoreTx, closeSessions: CloseSessions): Promise<Store> {
  const { status } = await lockStoreExclusively(tx)
  // A sign-in during the deletion may have opened a session after the others were closed.
  if (status === 'deleted') await closeSessions(tx)
  return transitionStore(tx, 'active')
}
