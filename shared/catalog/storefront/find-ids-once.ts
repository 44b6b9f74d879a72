import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { bytesOfText, versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import type { Statement } from '#shared/platform/db/statement.ts'

/** A list finds at most this many products by their ids. */
export const MAX_BY_ID = 5_000

/**
 * Returns a function that finds the ids (`uuid[]`) of products by a statement, once for each catalog version and its
 * values. The statement returns null for more than `MAX_BY_ID`. PostgreSQL does not know how many products a filter
 * matches. One plan for all values is slow for either common or rare ones, so the ids are found first.
 */
export function findIdsOnce(statement: Statement) {
  const cacheIds = versionedCache<string | null>(5_000, bytesOfText)

  return (context: StorefrontContext, values: string[]): Promise<string | null> =>
    cacheIds(context, values, async () => {
      const [[ids = null] = []] = await readInStore(context.store.id, statement, values)
      return ids
    })
}
