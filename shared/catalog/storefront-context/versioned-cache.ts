import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ClientGroup, runForClient } from '#shared/platform/db/waiting-client.ts'
import type { StorefrontContext } from './context.ts'

interface Computed<T> {
  result: Promise<T>
  /** The clients that wait for the result; undefined once it is known. */
  clients: ClientGroup | undefined
}

/** The maximum bytes of one cache. A limit of entries is not enough, because a store can make its results long. */
const MAX_BYTES = 16 * 1024 * 1024
/** The bytes of an entry without its result. */
const ENTRY_BYTES = 300

/**
 * Caches an expensive result by store and catalog version. Every change of the catalog increments the version, so a
 * result is computed once for each version. Concurrent callers share one computation, which is canceled when all of
 * them have disconnected. The cache has at most `maxEntries` entries, and fewer if results are long. `bytesOf` measures
 * a result.
 */
export function versionedCache<T>(maxEntries: number, bytesOf: (result: T) => number = () => 0) {
  const cache = new LRUCache<string, Computed<T>>({ max: maxEntries, maxSize: MAX_BYTES })

  function startComputation(key: string, compute: () => Promise<T>): Computed<T> {
    const clients = new ClientGroup()
    const computed: Computed<T> = { result: runForClient(clients, compute), clients }
    // False if a later computation has replaced this one.
    const isCached = () => cache.peek(key) === computed
    const forget = () => isCached() && cache.delete(key)
    const settle = (result: T) => {
      computed.clients = undefined
      // Set a copy, because the cache updates the size of an entry only for another object.
      if (isCached()) cache.set(key, { ...computed }, { size: ENTRY_BYTES + bytesOf(result) })
    }
    clients.onDisconnect(forget)
    computed.result.then(settle, forget)
    cache.set(key, computed, { size: ENTRY_BYTES })
    return computed
  }

  return (
    { store, catalogVersion }: StorefrontContext,
    key: unknown,
    compute: () => Promise<T>,
  ): Promise<T> => {
    // Hash the key: callers decide on its length, and ten thousand lists of SKUs would fill the memory.
    const fullKey = hash('sha256', JSON.stringify([store.id, catalogVersion, key]), 'base64url')
    const computed = cache.get(fullKey) ?? startComputation(fullKey, compute)
    computed.clients?.join()
    return computed.result
  }
}

/** Returns the most bytes that a text takes in memory. */
export const bytesOfText = (text: string | null): number => 2 * (text?.length ?? 0)
