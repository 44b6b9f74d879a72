import type { ImportRow } from '#shared/catalog/import/rows/read-product-row.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import {
  findHolders,
  findRenamedId,
  findRenamedIds,
  PRODUCTS_TO_LOAD,
  type ProductRows,
  skusOf,
} from './sku-holders.ts'

// Memory holds several times as many bytes: rows, plans, events and their JSON. Each step of a part delays the other
// jobs of this process.
const MAX_PART_BYTES = 1024 * 1024
// Each level of a path may be a new category. A file of 2 MB can name 400,000, which would fill the memory.
const MAX_PART_LEVELS = 2_000

/**
 * Divides groups into consecutive parts. The existing products of a part take at most `MAX_PART_BYTES`, because a short
 * file can name many large products. Its category paths have at most `MAX_PART_LEVELS`. A single product may exceed
 * both. Locks the products of all parts, as `loadKnownCatalog` does.
 */
export async function divideBySize(tx: StoreTx, groups: ProductRows): Promise<Map<string, ImportRow[]>[]> {
  const holders = await findHolders(tx, [...groups.values()].flatMap(skusOf))
  const renamed = findRenamedIds(groups, holders)
  const { bytesBySlug, bytesById } = await measureProducts(tx, [...groups.keys()], renamed)
  let part = new Map<string, ImportRow[]>()
  const parts = [part]
  let bytesLeft = MAX_PART_BYTES
  let levelsLeft = MAX_PART_LEVELS
  for (const [slug, rows] of groups) {
    const id = findRenamedId(rows, holders)
    const bytes = (bytesBySlug.get(slug) ?? 0) + (bytesById.get(id ?? '') ?? 0)
    const levels = countLevels(rows)
    if ((bytes > bytesLeft || levels > levelsLeft) && part.size > 0) {
      part = new Map()
      parts.push(part)
      bytesLeft = MAX_PART_BYTES
      levelsLeft = MAX_PART_LEVELS
    }
    bytesLeft -= bytes
    levelsLeft -= levels
    part.set(slug, rows)
  }
  return parts
}

/** Returns the number of levels in the category paths of a product: those of one of its rows. */
const countLevels = (rows: ImportRow[]): number =>
  Math.max(...rows.map(({ product }) => product.categories.flat().length))

interface ProductSizes {
  bytesBySlug: Map<string, number>
  bytesById: Map<string, number>
}

/** Returns the size in bytes of products with their variants. */
async function measureProducts(tx: StoreTx, slugs: string[], productIds: string[]): Promise<ProductSizes> {
  const products: { id: string; slug: string; bytes: number }[] = await tx
    .knex('products as p')
    .where('store_id', tx.storeId)
    .whereRaw(PRODUCTS_TO_LOAD, [slugs, productIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .select('id', 'slug', tx.knex.raw('octet_length(p::text) as bytes'))
  const bytesById = new Map(products.map(({ id, bytes }) => [id, bytes]))
  const variants: { product_id: string; bytes: number }[] = await tx
    .knex('product_variants as v')
    .where('store_id', tx.storeId)
    .whereRaw('product_id = any(?) and deleted_at is null', [[...bytesById.keys()]])
    .orderBy('id')
    .forNoKeyUpdate()
    .select('product_id', tx.knex.raw('octet_length(v::text) as bytes'))
  for (const { product_id: id, bytes } of variants) bytesById.set(id, (bytesById.get(id) ?? 0) + bytes)
  const bytesBySlug = new Map(products.map(({ id, slug }) => [slug, bytesById.get(id) ?? 0]))
  return { bytesBySlug, bytesById }
}
