import { repriceProducts } from '#shared/catalog/jobs.ts'
import { idAt, uuidBytes } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { findDueRows } from '#shared/stores/find-due-rows.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'

/** Changes after this time get no job yet: staff who set and replace many windows would leave a job for each. */
const HORIZON_MS = HOUR_MS
const SECOND_MS = 1_000

/**
 * Enqueues the job that reprices products at `at`, if that is within an hour; `enqueuePriceChanges` enqueues later
 * ones. The time is rounded up to a second, and the job of a time has the same id for each caller. So a store has at
 * most 3,600 waiting jobs. A change that commits after its job has run is applied by the next schedule.
 */
export async function enqueueRepricing(tx: StoreTx, at: Date): Promise<void> {
  if (at > inMs(HORIZON_MS)) return
  const startAfter = new Date(Math.ceil(Math.max(at.getTime(), now().getTime()) / SECOND_MS) * SECOND_MS)
  await enqueueAll(tx, repriceProducts, [
    { id: idAt(startAfter, uuidBytes(tx.storeId)), payload: { at: startAfter.toISOString() }, startAfter },
  ])
}

/** Enqueues the next price change of each store that has one within an hour or overdue. Returns their number. */
export const enqueuePriceChanges = (signal?: AbortSignal): Promise<number> =>
  isolateStoreFailures(async (runForStore) => {
    const due = await findDueRows<{ storeId: string; changesAt: Date }>(
      'select store_id as "storeId", changes_at as "changesAt" from next_price_changes(?)',
      [inMs(HORIZON_MS)],
    )
    for (const { storeId, changesAt } of due)
      await runForStore(storeId, () => inStore(storeId, (tx) => enqueueRepricing(tx, changesAt)))
    return due.length
  }, signal)
