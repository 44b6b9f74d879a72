import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { CallerGroup, onBehalfOf } from '#shared/platform/db/caller.ts'
import type { StorefrontContext } from './context.ts'

interface Computed<T> {
  result: Promise<T>
  /** The callers that wait for the result; undefined when it is known. */
  callers: CallerGroup | undefined
}

/**
 * Caches an expensive result by store and catalog version. Every change of the catalog raises the version, so a result
 * is computed once a version; concurrent callers share one computation, which ends when all of them have left.
 */
export function versionedCache<T>(max: number) {
  const cache = new LRUCache<string, Computed<T>>({ max })

  function begin(key: string, compute: () => Promise<T>): Computed<T> {
    const callers = new CallerGroup()
    const computed: Computed<T> = { result: onBehalfOf(callers, compute), callers }
    // A later computation may have the same key.
    const forget = () => cache.peek(key) === computed && cache.delete(key)
    const settle = () => {
      computed.callers = undefined
    }
    callers.onLeave(forget)
    computed.result.then(settle, forget)
    cache.set(key, computed)
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
