import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { StoreErrors } from './errors.ts'
import { NEXT, type StoreStatus } from './states.ts'
import { lockStoreRecord, readStoreRecord, type StoreRecord } from './store-record.ts'

/**
 * Suspends, deletes or restores the store. All that leads to it asks for its status, so its keys, domains, tokens and
 * webhooks heed it from the commit on. Throws `store.invalid_transition` and `store.under_purge`.
 */
export async function moveStore(tx: StoreTx, to: StoreStatus): Promise<StoreRecord> {
  const store = await lockStoreRecord(tx)
  assertTransition(NEXT, store.status, to, StoreErrors.invalidTransition)
  if (store.purgeRequestedAt) throw StoreErrors.underPurge()
  await tx
    .knex('stores')
    .where('id', tx.storeId)
    .update({ status: to, deleted_at: to === 'deleted' ? now() : null, updated_at: nextUpdatedAt(store) })
  return readStoreRecord(tx)
}
