import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import type { ImportRow } from './read-row.ts'

/**
 * The product that rows are about: the one at their handle, else, since it may have been moved to another address,
 * the one that has all of their known SKUs. Not one that the file itself speaks of elsewhere.
 */
export function findProduct(slug: string, rows: ImportRow[], known: KnownCatalog): KnownProduct | null {
  const atHandle = known.bySlug.get(slug)
  if (atHandle) return atHandle
  const owners = new Set<string>()
  for (const { variant } of rows) {
    const sku = variant?.sku ?? variant?.generatedSku ?? ''
    const owner = known.bySku.get(sku)?.productId
    if (owner && known.taken.get(sku)?.slug !== undefined && known.taken.get(sku)?.slug !== slug) return null
    if (owner) owners.add(owner)
  }
  const [only] = owners
  const found = owners.size === 1 && only ? known.byId.get(only) : undefined
  return found && found.product.deletedAt === null && !known.spokenOf.has(found.product.id) ? found : null
}
