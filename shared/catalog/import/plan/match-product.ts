import type { ImportRow } from '#shared/catalog/import/rows/read-product-row.ts'
import type { KnownCatalog, KnownProduct } from './known-catalog.ts'

/**
 * Returns the existing product of rows: the product with their handle, or else a product with all of their SKUs and
 * their title, whose slug was changed. A product with less in common is a different one and must not be overwritten.
 */
export function matchProduct(lead: ImportRow, rows: ImportRow[], known: KnownCatalog): KnownProduct | null {
  return known.bySlug.get(lead.slug) ?? findRenamed(lead, rows, known)
}

function findRenamed(lead: ImportRow, rows: ImportRow[], known: KnownCatalog): KnownProduct | null {
  const skus = rows.flatMap(({ variant }) => variant?.sku ?? variant?.generatedSku() ?? [])
  const productIds = new Set(skus.map((sku) => known.bySku.get(sku)?.productId))
  const [productId] = productIds
  const found = productIds.size === 1 && productId ? known.byId.get(productId) : undefined
  if (!found || found.product.deletedAt || known.matchedIds.has(found.product.id)) return null
  const { name: title } = lead.product
  const hasTitle = title === null || Object.values(found.product.nameI18n).includes(title)
  const isClaimed = skus.some((sku) => (known.claimedSkus.get(sku)?.slug ?? lead.slug) !== lead.slug)
  return hasTitle && !isClaimed ? found : null
}
