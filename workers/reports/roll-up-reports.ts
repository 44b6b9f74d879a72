import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import {
  deleteOutdatedAndFindDays,
  findPastDays,
  saveFacts,
  saveMonths,
} from '#shared/reports/facts/save-facts.ts'
import { rollUpReports as job } from '#shared/reports/jobs.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { handle } from '#workers/platform/handle.ts'

/** A year of a million orders takes less. A store with more to save must not keep all later stores waiting. */
const MAX_MS_PER_STORE = MINUTE_MS

/**
 * Saves the facts of the past days of every store. After an interruption, or when the time of a store is over, the next
 * run continues.
 */
export const rollUpReports = handle(job, async (_payload, { signal }) => {
  await forEachStore(signal, (storeId) => rollUpStore(storeId, { signal, maxMs: MAX_MS_PER_STORE }))
})

interface Options {
  /** Whether to recalculate all past days, also those with saved facts. */
  recalculate?: boolean
  signal?: AbortSignal
  /** The time after which no further day begins. Default: no limit. */
  maxMs?: number
}

/**
 * Saves the facts of a store's past days, each in a separate transaction, then of its months. Returns the number of
 * days.
 */
export async function rollUpStore(
  storeId: string,
  { recalculate, signal, maxMs = Number.POSITIVE_INFINITY }: Options = {},
): Promise<number> {
  const endsAt = performance.now() + maxMs
  const days = await inStore(storeId, recalculate ? findPastDays : deleteOutdatedAndFindDays)
  let saved = 0
  for (const day of days) {
    signal?.throwIfAborted()
    await inStore(storeId, (tx) => saveFacts(tx, day))
    saved += 1
    if (performance.now() >= endsAt) break
  }
  await inStore(storeId, saveMonths)
  return saved
}
