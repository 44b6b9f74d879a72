import { db } from '#shared/platform/db/db.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { deleteWaitingJobs } from '#shared/platform/jobs/waiting-jobs.ts'
import { log } from '#shared/platform/log.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { lockStoreExclusively, ownStore, type Store } from '#shared/stores/store.ts'
import { describeOpenBusiness, hasOpenBusiness, type StoreBusiness } from '#shared/stores/store-business.ts'
import { listTablesInDeletionOrder, type StoreTable } from './store-tables.ts'

/** A deleted store can be restored for this time. */
export const RETENTION_MS = 30 * DAY_MS
const BATCH_SIZE = 5_000

/** The checks before a purge, by domains that stores may not import. The caller passes them in. */
export interface PurgeChecks {
  /** Whether a payment or refund of the store is not settled. */
  hasUnsettledMoney(tx: StoreTx): Promise<boolean>
  countOpenBusiness(tx: StoreTx): Promise<StoreBusiness>
}

/** Returns the deleted stores whose retention has ended or whose purge was requested. */
export const findPurgeableStoreIds = (): Promise<string[]> =>
  db()('stores')
    .where('status', 'deleted')
    .where((due) => due.where('deleted_at', '<=', inMs(-RETENTION_MS)).orWhereNotNull('purge_requested_at'))
    .pluck('id')

/** What a purge needs from domains that stores may not import. */
interface PurgeSteps {
  signal: AbortSignal
  checks: PurgeChecks
  /** Deletes the images of the store with their files. */
  removeImages: () => Promise<void>
  /** Removes the saved cards of the store at the gateway, which could charge them for ever. */
  detachCards: () => Promise<void>
}

/**
 * Deletes a deleted store and all its rows in batches, each in one transaction. A restart continues where it stopped.
 * It does nothing for a restored or unknown store. While money must be returned to buyers, it does not start, and a
 * request is canceled. Without a request it does not start while the store has open business either. The platform's
 * audit log keeps its entries about the store.
 */
export async function purgeStore(
  storeId: string,
  { signal, checks, removeImages, detachCards }: PurgeSteps,
): Promise<void> {
  if (!(await inStore(storeId, (tx) => startPurge(tx, checks)))) return
  // A waiting job would number the store's events from 1 again after their counter is deleted.
  await inStore(storeId, (tx) => deleteWaitingJobs(tx.knex, storeId, publishEvents.queue))
  await removeImages()
  await detachCards()
  const tables = await listTablesInDeletionOrder()
  // Triggers may write to tables that are already empty: a deleted item of a return is a change of reports.
  while (await deleteRows(storeId, tables, signal)) signal.throwIfAborted()
  await inStore(storeId, deleteStoreRow)
}

/** Deletes the rows of all tables, in batches. Returns whether it found any. */
async function deleteRows(
  storeId: string,
  tables: readonly StoreTable[],
  signal: AbortSignal,
): Promise<boolean> {
  let found = 0
  const inBatches = (work: (tx: StoreTx) => Promise<number>) => runInBatches(storeId, work, signal)
  for (const { name, ownReferences } of tables) {
    for (const column of ownReferences) await inBatches((tx) => clearReferences(tx, name, column))
    found += await inBatches((tx) => deleteBatch(tx, name))
  }
  return found > 0
}

/** Runs work on batches of rows, each in one transaction, until it finds no row. Returns the number of found rows. */
async function runInBatches(
  storeId: string,
  work: (tx: StoreTx) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  let sum = 0
  for (let count = 1; count > 0; sum += count) {
    count = await inStore(storeId, work)
    signal.throwIfAborted()
  }
  return sum
}

/** Marks the store, so that it can no longer be restored. Returns false if it must not be purged. */
async function startPurge(tx: StoreTx, checks: PurgeChecks): Promise<boolean> {
  const store = await lockStoreExclusively(tx)
  const { status, deletedAt, purgeRequestedAt, purgeStartedAt } = store ?? {}
  const isDue = purgeRequestedAt ?? (deletedAt && deletedAt <= inMs(-RETENTION_MS))
  if (status !== 'deleted' || !isDue) return false
  // A started purge continues, because it has already deleted rows.
  if (purgeStartedAt) return true
  // Check a requested purge again: since the request, a bank may have returned a refund.
  if (await checks.hasUnsettledMoney(tx)) {
    log.error({ storeId: tx.storeId }, 'a deleted store is not purged: money of its buyers is not settled')
    if (purgeRequestedAt) await cancelRequest(tx, store)
    return false
  }
  if (!purgeRequestedAt && !(await isBusinessClosed(tx, checks))) return false
  await ownStore(tx).update({ purge_started_at: now() })
  return true
}

/** Whether the store has no open business. A request was checked, or a super-admin has overridden the check. */
async function isBusinessClosed(tx: StoreTx, { countOpenBusiness }: PurgeChecks): Promise<boolean> {
  const open = await countOpenBusiness(tx)
  if (!hasOpenBusiness(open)) return true
  const { storeId } = tx
  log.error({ storeId }, `a deleted store is not purged: ${describeOpenBusiness(open)}`)
  return false
}

/** Cancels the request of a purge that has not started, so that the store can be restored. */
const cancelRequest = (tx: StoreTx, store: Pick<Store, 'updatedAt'>) =>
  ownStore(tx).update({ purge_requested_at: null, updated_at: nextUpdatedAt(store) })

/**
 * Clears the references of a batch of rows to other rows of their table, so that those can be deleted first. Returns
 * the number of found rows. A row that another transaction changes meanwhile, such as a running delivery, stays for the
 * next batch.
 */
async function clearReferences({ knex, storeId }: StoreTx, name: string, column: string): Promise<number> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `with found as materialized (select ctid from ?? where store_id = ? and ?? is not null limit ?),
       cleared as (update ?? set ?? = null where store_id = ? and ctid = any (array(select ctid from found)))
     select from found`,
    [name, storeId, column, BATCH_SIZE, name, column, storeId],
  )
  return rows.length
}

/** Deletes a batch of rows. Returns the number of found rows, like `clearReferences`. */
async function deleteBatch({ knex, storeId }: StoreTx, name: string): Promise<number> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `with found as materialized (select ctid from ?? where store_id = ? limit ?),
       deleted as (delete from ?? where store_id = ? and ctid = any (array(select ctid from found)))
     select from found`,
    [name, storeId, BATCH_SIZE, name, storeId],
  )
  return rows.length
}

async function deleteStoreRow(tx: StoreTx): Promise<void> {
  await deleteWaitingJobs(tx.knex, tx.storeId)
  await ownStore(tx).delete()
}
