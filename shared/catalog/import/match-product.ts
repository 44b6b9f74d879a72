import type { KnownCatalog, KnownProduct } from './known-catalog.ts'
import type { ImportRow } from './read-row.ts'

/**
 * The product that rows are about: the one at their handle, else, since it may have been moved to another address, one
 * that has all of their SKUs and their title. A product that shares less than that is another one: to take it for
 * the same would write over it.
 */
export function matchProduct(lead: ImportRow, rows: ImportRow[], known: KnownCatalog): KnownProduct | null {
  return known.bySlug.get(lead.slug) ?? findMoved(lead, rows, known)
}

function findMoved(lead: ImportRow, rows: ImportRow[], known: KnownCatalog): KnownProduct | null {
  const skus = rows.flatMap(({ variant }) => variant?.sku ?? variant?.generatedSku ?? [])
  const owners = new Set(skus.map((sku) => known.bySku.get(sku)?.productId))
  const [owner] = owners
  const found = owners.size === 1 && owner ? known.byId.get(owner) : undefined
  if (!found || found.product.deletedAt || known.matchedIds.has(found.product.id)) return null
  const { title } = lead.product
  const isNamedSo = title === null || Object.values(found.product.nameI18n).includes(title)
  const isTaken = skus.some((sku) => (known.claimedSkus.get(sku)?.slug ?? lead.slug) !== lead.slug)
  return isNamedSo && !isTaken ? found : null
}
