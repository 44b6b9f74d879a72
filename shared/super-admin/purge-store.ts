import { db } from '#shared/platform/db/db.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { lockStoreRecord } from '#shared/stores/store-record.ts'
import { orderOfRemoval } from './store-tables.ts'

/** How long a deleted store can be restored (decisions, section 2). */
export const KEPT_MS = 30 * DAY_MS
const MOST = 5_000

/** The stores whose time is over, or whose purge was asked for. */
export const findPurgeable = (): Promise<string[]> =>
  db()('stores')
    .where('status', 'deleted')
    .where((due) => due.where('deleted_at', '<=', inMs(-KEPT_MS)).orWhereNotNull('purge_requested_at'))
    .pluck('id')

/**
 * Removes a deleted store with all its rows, slice by slice, each in a transaction of its own; started again, it goes
 * on where it was. Does nothing for a store that was restored, or is gone. What super-admins did to it stays in the
 * platform's audit log.
 */
export async function purgeStore(storeId: string, signal: AbortSignal): Promise<void> {
  if (!(await inStore(storeId, beginPurge))) return
  const tables = await orderOfRemoval()
  for (const table of tables)
    while (await inStore(storeId, (tx) => removeSlice(tx, table))) signal.throwIfAborted()
  await inStore(storeId, removeStore)
}

/** From here on there is no way back. */
async function beginPurge(tx: StoreTx): Promise<boolean> {
  const store = await lockStoreRecord(tx)
  const { status, deletedAt, purgeRequestedAt } = store ?? {}
  const isDue = purgeRequestedAt ?? (deletedAt && deletedAt <= inMs(-KEPT_MS))
  if (status !== 'deleted' || !isDue) return false
  await tx
    .knex('stores')
    .where('id', tx.storeId)
    .update({ purge_requested_at: purgeRequestedAt ?? now() })
  return true
}

interface Table {
  name: string
  /** Its rows refer to one another, so they go together. */
  isSelfReferring: boolean
}

/** Returns whether there may be more. */
async function removeSlice({ knex, storeId }: StoreTx, { name, isSelfReferring }: Table): Promise<boolean> {
  if (isSelfReferring) {
    await knex(name).where('store_id', storeId).delete()
    return false
  }
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `delete from ?? where store_id = ? and ctid = any (array(select ctid from ?? where store_id = ? limit ?))`,
    [name, storeId, name, storeId, MOST],
  )
  return rowCount === MOST
}

async function removeStore({ knex, storeId }: StoreTx): Promise<void> {
  await knex.raw(`delete from pgboss.job where group_id = ? and state in ('created', 'retry')`, [storeId])
  await knex('stores').where('id', storeId).delete()
}
