import type { Product } from '#shared/catalog/product.ts'
import { addHasFewChanges } from '#shared/catalog/search/changed-products.ts'
import { type ExportFilter, matchingProducts } from '#shared/catalog/search/list-admin-products.ts'
import { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { readInPages } from '#shared/platform/csv/read-in-pages.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { type ExportRow, rowsOf } from './export-rows.ts'
import { loadExportedParts } from './load-exported-parts.ts'
import { ownColumns } from './own-columns.ts'
import { shopifyColumns } from './shopify-columns.ts'
import { summarizeExport } from './summarize-export.ts'

export const EXPORT_FORMATS = ['own', 'shopify'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

// A page is one transaction, and its products and variants are in memory together.
const PRODUCTS_PER_PAGE = 100

/** Returns the products that match a filter as a CSV file, in the order of their ids, one row per variant or image. */
export async function exportProducts(
  tx: StoreTx,
  store: Store,
  format: ExportFormat,
  requested: ExportFilter,
): Promise<CsvFile> {
  const filter = await addHasFewChanges(tx, requested)
  const summary = await summarizeExport(matchingProducts(tx, store, filter), store)
  const columns = format === 'own' ? ownColumns(store, summary) : shopifyColumns(store)
  return CsvFile.of<ExportRow>({
    name: `products-${format}`,
    columns,
    rows: readRows(store, filter),
    totalRows: summary.rows,
  })
}

async function* readRows(store: Store, filter: ExportFilter): AsyncGenerator<ExportRow[]> {
  const pages = readInPages(store.id, {
    size: PRODUCTS_PER_PAGE,
    async read(tx, afterId, size) {
      const matching = matchingProducts(tx, store, filter)
      if (afterId) matching.where('products.id', '>', afterId)
      const products: Product[] = await matching.orderBy('products.id').limit(size)
      return loadExportedParts(tx, products)
    },
  })
  for await (const products of pages) yield products.flatMap(rowsOf)
}
