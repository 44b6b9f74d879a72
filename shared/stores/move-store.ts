import { now } from '../platform/clock.ts'
import { changedAt } from '../platform/entity-tag.ts'
import { assertMayBecome } from '../platform/states.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { StoreErrors } from './errors.ts'
import { NEXT, type StoreStatus } from './states.ts'
import { lockStoreRecord, readStoreRecord, type StoreRecord } from './store-record.ts'

/**
 * Suspends, deletes or restores the store. All that leads to it asks for its status, so its keys, domains, tokens and
 * webhooks heed it from the commit on. Throws `store.invalid_transition` and `store.under_purge`.
 */
export async function moveStore(tx: StoreTx, to: StoreStatus): Promise<StoreRecord> {
  const store = await lockStoreRecord(tx)
  assertMayBecome(NEXT, store.status, to, StoreErrors.invalidTransition)
  if (store.purgeRequestedAt) throw StoreErrors.underPurge()
  await tx
    .knex('stores')
    .where('id', tx.storeId)
    .update({ status: to, deleted_at: to === 'deleted' ? now() : null, updated_at: changedAt(store) })
  return readStoreRecord(tx)
}
