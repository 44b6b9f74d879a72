import { releaseHold } from '#shared/orders/jobs.ts'
import { expireOrder } from '#shared/payments/jobs.ts'
import { now } from '#shared/platform/time/clock.ts'
import { enqueueDueRows } from '#shared/stores/enqueue-due-rows.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'

/** One run looks at this many orders of each store, the oldest first, also at those whose job waits or fails. */
const MAX_ROWS = 5_000

/** SQL of the orders that a function over all stores finds. */
const dueOrders = (source: 'holds_ended' | 'orders_overdue') =>
  `select store_id as "storeId", order_id as "orderId" from ${source}(?, ?)`

/**
 * Enqueues a job for each order of all stores whose hold has ended or that was not paid in time, unless its job waits
 * or runs already. Returns the numbers of new jobs. An order is found until its job has changed it, so a lost job is
 * replaced.
 */
export const enqueueDueOrders = (signal?: AbortSignal): Promise<{ holds: number; expiries: number }> =>
  isolateStoreFailures(async (runForStore) => {
    const due = [now(), MAX_ROWS]
    return {
      holds: await enqueueDueRows(runForStore, releaseHold, dueOrders('holds_ended'), due),
      expiries: await enqueueDueRows(runForStore, expireOrder, dueOrders('orders_overdue'), due),
    }
  }, signal)
