import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { inMs, now } from '#shared/platform/time/clock.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { lockStoreRecord, readStoreRecord, type StoreRecord } from '#shared/stores/store-record.ts'
import { purgeStore } from './jobs.ts'
import { KEPT_MS } from './purge-store.ts'

/**
 * Has a deleted store removed for good: after its thirty days, or at once when `force` repeats its slug. Throws
 * `store.not_purgeable`. Asking again queues the work again, which does no harm.
 */
export async function requestPurge(
  tx: StoreTx,
  { force }: { force?: string | undefined },
): Promise<StoreRecord> {
  const store = await lockStoreRecord(tx)
  const { status, slug, deletedAt } = store
  const isDue = deletedAt !== null && deletedAt <= inMs(-KEPT_MS)
  if (status !== 'deleted' || (!isDue && force !== slug)) throw StoreErrors.notPurgeable()
  await tx
    .knex('stores')
    .where('id', tx.storeId)
    .update({ purge_requested_at: now(), updated_at: nextUpdatedAt(store) })
  await enqueue(tx, purgeStore, {})
  return readStoreRecord(tx)
}
