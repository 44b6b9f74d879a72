import { inStore } from '#shared/platform/db/store-scope.ts'
import {
  deleteOutdatedAndFindDays,
  findPastDays,
  saveFacts,
  saveMonths,
} from '#shared/reports/facts/save-facts.ts'
import { rollUpReports as job } from '#shared/reports/jobs.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { handle } from '#workers/platform/handle.ts'

/** Saves the facts of the past days of every store. After an interruption the next run continues. */
export const rollUpReports = handle(job, async (_payload, { signal }) => {
  await forEachStore(signal, (storeId) => rollUpStore(storeId, { signal }))
})

interface Options {
  /** Whether to recalculate all past days, also those with saved facts. */
  recalculate?: boolean
  signal?: AbortSignal
}

/**
 * Saves the facts of a store's past days, each in a separate transaction, then of its months. Returns the number of
 * days.
 */
export async function rollUpStore(storeId: string, { recalculate, signal }: Options = {}): Promise<number> {
  const days = await inStore(storeId, recalculate ? findPastDays : deleteOutdatedAndFindDays)
  for (const day of days) {
    signal?.throwIfAborted()
    await inStore(storeId, (tx) => saveFacts(tx, day))
  }
  await inStore(storeId, saveMonths)
  return days.length
}
