import { config } from '#shared/platform/config/config.ts'
import { limitPools } from '#shared/platform/db/store-connection-limit.ts'
import { limitTransactions, type TimeLimits } from '#shared/platform/db/time-limits.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'

// A job calls outside systems between its transactions, so none is idle for long. A purge of many rows takes minutes.
const TIME_LIMITS: TimeLimits = {
  statement: 10 * MINUTE_MS,
  read: 10 * MINUTE_MS,
  lock: 15 * SECOND_MS,
  idleInTransaction: MINUTE_MS,
}

/**
 * Limits how many connections of this process the jobs of one store use, and for how long. A store has jobs in many
 * queues. If all of them wait for locks of one long transaction, they leave connections to the jobs of other stores.
 * The transaction of a worker that has frozen is ended after a minute. Until then jobs that wait for its locks are
 * retried.
 */
export function limitDatabaseUse(): void {
  const { DATABASE_POOL, DATABASE_POOL_WAIT_MS } = config()
  limitTransactions(TIME_LIMITS)
  limitPools(DATABASE_POOL, DATABASE_POOL_WAIT_MS, timeout)
}

// Not a `CodedError`, because jobs treat those as decisions of the domain, e.g. a failed charge. The job is retried.
const timeout = () =>
  new Error('Other work of the store, or of the platform, has used its share of connections for too long')
