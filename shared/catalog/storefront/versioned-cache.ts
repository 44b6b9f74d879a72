import { LRUCache } from 'lru-cache'
import type { StorefrontContext } from './context.ts'

/**
 * Keeps what is costly to make of a store's catalog: every catalog change raises the version, so it is made once a
 * version, also when many ask at once.
 */
export function versionedCache<T>(max: number) {
  const kept = new LRUCache<string, Promise<T>>({ max })
  return (
    { store, catalogVersion }: StorefrontContext,
    about: unknown,
    make: () => Promise<T>,
  ): Promise<T> => {
    const key = JSON.stringify([store.id, catalogVersion, about])
    const known = kept.get(key)
    if (known) return known
    const made = make()
    kept.set(key, made)
    made.catch(() => kept.delete(key))
    return made
  }
}
