import { now } from '#shared/platform/time/clock.ts'
import { enqueueDueRows } from '#shared/stores/enqueue-due-rows.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { reportSupportChanges } from './jobs.ts'

/** One run looks at this many sessions of each store, the oldest first. */
const MAX_ROWS = 1_000

const DUE = 'select store_id as "storeId", session_id as "sessionId" from support_changes_to_report(?, ?)'

/**
 * Enqueues a report for each support session of all stores that made changes and makes no more, because it ended or the
 * owner withdrew the consent. Returns their number. A session is found until its changes are reported, so a lost job is
 * replaced.
 */
export const enqueueSupportReports = (signal?: AbortSignal): Promise<number> =>
  isolateStoreFailures(
    (runForStore) => enqueueDueRows(runForStore, reportSupportChanges, DUE, [now(), MAX_ROWS]),
    signal,
  )
