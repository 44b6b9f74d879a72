import { releaseHold } from '#shared/orders/jobs.ts'
import { expireOrder } from '#shared/payments/jobs.ts'
import { withoutPendingJob } from '#shared/platform/jobs/job-table.ts'
import { now } from '#shared/platform/time/clock.ts'
import { enqueueForStores } from '#shared/stores/enqueue-for-stores.ts'
import { findDueRows } from '#shared/stores/find-due-rows.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'

/** One run looks at this many orders of each store, the oldest first. The run of the next minute looks at the rest. */
const MAX_ROWS = 5_000

/**
 * Enqueues a job for each order of all stores whose hold has ended or that was not paid in time, unless its job waits
 * or runs already. Returns the numbers of new jobs. An order is found until its job has changed it, so a lost job is
 * replaced.
 */
export const enqueueDueOrders = (signal?: AbortSignal): Promise<{ holds: number; expiries: number }> =>
  isolateStoreFailures(async (runForStore) => {
    const enqueueDue = async (source: 'holds_ended' | 'orders_overdue', job: typeof releaseHold) => {
      const rows = await findDueRows<{ storeId: string; orderId: string }>(
        `select store_id as "storeId", order_id as "orderId" from ${source}(?, ?)`,
        [now(), MAX_ROWS],
      )
      return (await enqueueForStores(runForStore, job, await withoutPendingJob(job.queue, rows))).length
    }
    return {
      holds: await enqueueDue('holds_ended', releaseHold),
      expiries: await enqueueDue('orders_overdue', expireOrder),
    }
  }, signal)
