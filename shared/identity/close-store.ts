import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { moveStore } from '#shared/stores/move-store.ts'
import { lockStoreRecord, type StoreRecord } from '#shared/stores/store-record.ts'
import { closeEverySession } from './sessions/close-sessions.ts'

/**
 * Deletes a store softly and signs everybody out of it: should it be restored, they sign in anew. From the commit on
 * login and refresh are told `auth.tenant_unavailable` (interface document, section 4). Throws
 * `store.invalid_transition`.
 */
export async function closeStore(tx: StoreTx): Promise<StoreRecord> {
  const deleted = await moveStore(tx, 'deleted')
  await closeEverySession(tx, 'store_deleted')
  return deleted
}

/** Opens a suspended or deleted store again. Throws `store.invalid_transition` and `store.under_purge`. */
export async function reopenStore(tx: StoreTx): Promise<StoreRecord> {
  const { status } = await lockStoreRecord(tx)
  // Whoever was signing in while the store was deleted was not seen by what signed the others out.
  if (status === 'deleted') await closeEverySession(tx, 'store_deleted')
  return moveStore(tx, 'active')
}
