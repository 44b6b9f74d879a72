import { now } from '../platform/clock.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { moveStore } from '../stores/move-store.ts'
import type { StoreRecord } from '../stores/store-record.ts'
import { Session } from './session.ts'

/**
 * Deletes the store softly (decisions, section 2): nothing leads to it any more, and should it be restored, its
 * people sign in anew. Throws `store.invalid_transition`.
 */
export async function deleteStore(tx: StoreTx): Promise<StoreRecord> {
  const deleted = await moveStore(tx, 'deleted')
  await Session.in(tx).whereNull('closed_at').patch({ closedAt: now(), closedReason: 'store_deleted' })
  return deleted
}
