import { inStore } from '#shared/platform/db/store-scope.ts'
import { findDaysToStore, storeFacts } from '#shared/reports/facts/store-facts.ts'
import { rollUpReports as job } from '#shared/reports/jobs.ts'
import { walkStoreIds } from '#shared/stores/list-stores.ts'
import { handle } from '#workers/platform/handle.ts'

/** Stores the facts of the past days of every store. An interrupted run goes on with the next one. */
export const rollUpReports = handle(job, async (_payload, { signal }) => {
  for await (const storeId of walkStoreIds()) await rollUpStore(storeId, signal)
})

/** Stores the facts of a store's past days, each in a transaction of its own. Returns their number. */
export async function rollUpStore(storeId: string, signal?: AbortSignal): Promise<number> {
  const days = await inStore(storeId, findDaysToStore)
  for (const day of days) {
    signal?.throwIfAborted()
    await inStore(storeId, (tx) => storeFacts(tx, day))
  }
  return days.length
}
