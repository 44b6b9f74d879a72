import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { inMs, now } from '#shared/platform/time/clock.ts'
import { StoreErrors } from '#shared/stores/errors.ts'
import { purgeStore } from '#shared/stores/jobs.ts'
import { lockStoreExclusively, ownStore, readStore, type Store } from '#shared/stores/store.ts'
import { hasOpenBusiness } from '#shared/stores/store-business.ts'
import { type PurgeChecks, RETENTION_MS } from './purge-store.ts'

/** `override`: its open business was settled by other means. */
interface PurgeRequest {
  force?: string | undefined
  override?: boolean | undefined
}

/**
 * Enqueues the purge of a deleted store after its retention, or earlier if `force` is its slug. Throws
 * `store.not_purgeable`, also while money must be returned to buyers, and `store.has_open_business` without an
 * `override`. A repeat enqueues the job again, which is harmless.
 */
export async function requestPurge(
  tx: StoreTx,
  { force, override = false }: PurgeRequest,
  { hasUnsettledMoney, countOpenBusiness }: PurgeChecks,
): Promise<Store> {
  const store = await lockStoreExclusively(tx)
  const { status, slug, deletedAt } = store
  const isDue = deletedAt !== null && deletedAt <= inMs(-RETENTION_MS)
  if (status !== 'deleted' || (!isDue && force !== slug)) throw StoreErrors.notPurgeable()
  if (await hasUnsettledMoney(tx)) throw StoreErrors.notPurgeable({ reason: 'unsettled_money' })
  const open = await countOpenBusiness(tx)
  if (hasOpenBusiness(open) && !override) throw StoreErrors.hasOpenBusiness({ open })
  await ownStore(tx).update({ purge_requested_at: now(), updated_at: nextUpdatedAt(store) })
  await enqueue(tx, purgeStore, {})
  return readStore(tx)
}
