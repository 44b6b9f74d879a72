import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { CallerGroup, runForCaller } from '#shared/platform/db/caller.ts'
import type { StorefrontContext } from './context.ts'

interface Computed<T> {
  result: Promise<T>
  /** The callers that wait for the result; undefined when it is known. */
  callers: CallerGroup | undefined
}

/** The maximum size of one cache. A count of entries is not enough: a store can make its results long. */
const MAX_BYTES = 16 * 1024 * 1024
/** The size of an entry without its result. */
const ENTRY_BYTES = 300

/**
 * Caches an expensive result by store and catalog version. Every change of the catalog raises the version, so a result
 * is computed once a version; concurrent callers share one computation, which ends when all of them have left. It has
 * at most `max` entries. `bytesOf` measures a result; long results leave room for fewer entries.
 */
export function versionedCache<T>(max: number, bytesOf: (result: T) => number = () => 0) {
  const cache = new LRUCache<string, Computed<T>>({ max, maxSize: MAX_BYTES })

  function begin(key: string, compute: () => Promise<T>): Computed<T> {
    const callers = new CallerGroup()
    const computed: Computed<T> = { result: runForCaller(callers, compute), callers }
    // A later computation may have the same key.
    const forget = () => cache.peek(key) === computed && cache.delete(key)
    const settle = (result: T) => {
      computed.callers = undefined
      // The cache updates the size of an entry only for another value, so this sets a copy.
      if (cache.peek(key) === computed)
        cache.set(key, { ...computed }, { size: ENTRY_BYTES + bytesOf(result) })
    }
    callers.onLeave(forget)
    computed.result.then(settle, forget)
    cache.set(key, computed, { size: ENTRY_BYTES })
    return computed
  }

  return (
    { store, catalogVersion }: StorefrontContext,
    key: unknown,
    compute: () => Promise<T>,
  ): Promise<T> => {
    // A hash, because a caller decides how long the key is: ten thousand lists of SKUs would fill the memory.
    const fullKey = hash('sha256', JSON.stringify([store.id, catalogVersion, key]), 'base64url')
    const computed = cache.get(fullKey) ?? begin(fullKey, compute)
    computed.callers?.join()
    return computed.result
  }
}

/** The most bytes that a text takes in memory. */
export const bytesOfText = (text: string | null): number => 2 * (text?.length ?? 0)
