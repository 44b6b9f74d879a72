import { LRUCache } from 'lru-cache'
import { consumeQuota } from '#shared/platform/throttle/quota.ts'
import { now } from '#shared/platform/time/clock.ts'
import { RemoteRateLimited } from '#workers/gateways/remote-catalog.ts'

const MIB = 1024 * 1024

/**
 * The most MiB that all workers parse from the external system of a store per minute. A page of 200 items usually has
 * 100 KB, so these are 150 of them. A MiB takes a worker 60 ms of processor time, in which the jobs of all other stores
 * wait.
 */
export const MAX_MIB_PER_MINUTE = 15

// For an evicted store, less than 1 MiB stays uncounted.
const MAX_STORES = 20_000

/** The bytes of each store that this process has not counted yet. */
const uncounted = new LRUCache<string, number>({ max: MAX_STORES })

/**
 * Consumes the quota of bytes from the external system of a store. Throws `RemoteRateLimited` past the limit. It
 * consumes whole MiB, so that few responses need a round trip.
 */
export async function consumeByteQuota(storeId: string, bytes: number): Promise<void> {
  const total = (uncounted.get(storeId) ?? 0) + bytes
  const units = Math.floor(total / MIB)
  uncounted.set(storeId, total - units * MIB)
  if (units === 0) return
  const { granted, endsAt } = await consumeQuota(`remote bytes ${storeId}`, {
    limit: MAX_MIB_PER_MINUTE,
    units,
  })
  if (granted < units) throw new RemoteRateLimited(Math.max(0, endsAt.getTime() - now().getTime()))
}
