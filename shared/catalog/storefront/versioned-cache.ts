import { LRUCache } from 'lru-cache'
import type { StorefrontContext } from './context.ts'

/**
 * Caches an expensive result by store and catalog version. Every change of the catalog raises the version, so a result
 * is computed once a version; concurrent callers share one computation.
 */
export function versionedCache<T>(max: number) {
  const cache = new LRUCache<string, Promise<T>>({ max })
  return (
    { store, catalogVersion }: StorefrontContext,
    key: unknown,
    compute: () => Promise<T>,
  ): Promise<T> => {
    const fullKey = JSON.stringify([store.id, catalogVersion, key])
    const cached = cache.get(fullKey)
    if (cached) return cached
    const computed = compute()
    cache.set(fullKey, computed)
    computed.catch(() => cache.delete(fullKey))
    return computed
  }
}
