import { config } from '#shared/platform/config/config.ts'
import { limitOfPool, limitStoreConnections } from '#shared/platform/db/store-connection-limit.ts'

/**
 * Limits how many connections of this process the jobs of one store use. A store has jobs in many queues. If all of
 * them wait for locks of one long transaction, they leave connections to the jobs of other stores.
 */
export function limitJobConnections(): void {
  const { DATABASE_POOL, DATABASE_POOL_WAIT_MS } = config()
  limitStoreConnections(limitOfPool(DATABASE_POOL, DATABASE_POOL_WAIT_MS, timeout))
}

// Not a `CodedError`, because jobs treat those as decisions of the domain, e.g. a failed charge. The job is retried.
const timeout = () =>
  new Error('Other work of the store, or of the platform, has used its share of connections for too long')
