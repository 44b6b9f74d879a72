import type { ImportRow } from '#shared/catalog/import/rows/read-product-row.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The rows of each product, by the slug of its handle. */
export type ProductRows = ReadonlyMap<string, ImportRow[]>

/** SQL of the products that rows may refer to, by slugs and ids. */
export const PRODUCTS_TO_LOAD = '(slug = any(?) and deleted_at is null or id = any(?))'

/** Returns the SKUs of rows, also those that are generated for new variants. */
export const skusOf = (rows: ImportRow[]): string[] =>
  rows.flatMap(({ variant }) => variant?.sku ?? variant?.generatedSku() ?? [])

/** Returns the id of the product that has each SKU. */
export async function findHolders(tx: StoreTx, skus: string[]): Promise<Map<string, string>> {
  const rows: { sku: string; product_id: string }[] = await tx
    .knex('product_variants')
    .where({ store_id: tx.storeId, deleted_at: null })
    .whereRaw('sku = any(?)', [skus])
    .select('sku', 'product_id')
  return new Map(rows.map(({ sku, product_id }) => [sku, product_id]))
}

/**
 * Finds the id of the product that has all SKUs of the rows. It may be their product with a changed slug (see
 * `matchProduct`).
 */
export function findRenamedId(rows: ImportRow[], holders: Map<string, string>): string | undefined {
  const [id, ...others] = new Set(skusOf(rows).map((sku) => holders.get(sku)))
  return others.length === 0 ? id : undefined
}

/** Finds the ids of `findRenamedId` for the rows of all products. */
export const findRenamedIds = (groups: ProductRows, holders: Map<string, string>): string[] => [
  ...new Set([...groups.values()].flatMap((rows) => findRenamedId(rows, holders) ?? [])),
]
