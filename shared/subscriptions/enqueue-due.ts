import { findStoresWithMailBacklog } from '#shared/mail/mail-backlog.ts'
import { now } from '#shared/platform/time/clock.ts'
import { enqueueDueRows } from '#shared/stores/enqueue-due-rows.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { chargeSubscription, remindSubscriber } from './jobs.ts'

/**
 * One run enqueues at most this many subscriptions of a store: as many as a payment gateway takes in a minute. The next
 * run follows a minute later. The rest does not wait in the queue, because fetching from a long queue is slow.
 */
const MAX_ROWS = 5_000

/** Enqueues the due charges of all stores. Returns their number. */
export const enqueueDueCharges = (signal?: AbortSignal): Promise<number> =>
  enqueueDue('subscriptions_due', chargeSubscription, signal)

/** Enqueues the due reminders of all stores without a backlog of mails. Returns their number. */
export const enqueueDueReminders = async (signal?: AbortSignal): Promise<number> =>
  enqueueDue('reminders_due', remindSubscriber, signal, await findStoresWithMailBacklog())

/** Enqueues the subscriptions that the SQL function `source` returns, but not of the stores in `except`. */
const enqueueDue = (
  source: 'subscriptions_due' | 'reminders_due',
  job: typeof chargeSubscription | typeof remindSubscriber,
  signal: AbortSignal | undefined,
  except: readonly string[] = [],
): Promise<number> => {
  const sql = `select store_id as "storeId", subscription_id as "subscriptionId" from ${source}(?, ?)
    where store_id <> all(?::uuid[])`
  return isolateStoreFailures(
    (runForStore) => enqueueDueRows(runForStore, job, sql, [now(), MAX_ROWS, [...except]]),
    signal,
  )
}
