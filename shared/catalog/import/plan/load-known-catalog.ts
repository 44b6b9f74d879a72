import {
  PRODUCT_COLUMNS,
  type ProductRow,
  VARIANT_COLUMNS,
  type VariantRow,
} from '#shared/catalog/import/rows/rows.ts'
import { Product } from '#shared/catalog/product.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { findClaimed } from '#shared/imports/claimed-keys.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { addPlanned } from './add-planned.ts'
import type { KnownCatalog, KnownProduct, LoadedCatalog } from './known-catalog.ts'
import { findHolders, findRenamedIds, PRODUCTS_TO_LOAD, type ProductRows, skusOf } from './sku-holders.ts'

/** Loads and locks the products that rows may refer to, and their variants, each by ascending id. */
export async function loadKnownCatalog(
  tx: StoreTx,
  job: ImportJob,
  groups: ProductRows,
): Promise<KnownCatalog> {
  const slugs = [...groups.keys()]
  const skus = [...groups.values()].flatMap(skusOf)
  const taken = await findClaimed(tx, job.id, slugs, skus)
  const holders = await findHolders(tx, skus)
  const known = await lockProducts(tx, slugs, findRenamedIds(groups, holders))
  await addHolders(tx, known, skus)
  if (job.dryRun) addPlanned(known, taken)
  return {
    ...known,
    claimedSkus: new Map(taken.map(({ key, record, line }) => [key, { slug: record, line }])),
    matchedIds: new Set(slugs.flatMap((slug) => known.bySlug.get(slug)?.product.id ?? [])),
  }
}

async function lockProducts(tx: StoreTx, slugs: string[], productIds: string[]): Promise<LoadedCatalog> {
  const products: ProductRow[] = await Product.in(tx)
    .whereRaw(PRODUCTS_TO_LOAD, [slugs, productIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .select(...PRODUCT_COLUMNS)
  const ids = products.map(({ id }) => id)
  const variants: VariantRow[] = await ProductVariant.in(tx)
    .whereRaw('product_id = any(?) and deleted_at is null', [ids])
    .orderBy('id')
    .forNoKeyUpdate()
    .select(...VARIANT_COLUMNS)
  const categories = await tx
    .knex('product_categories')
    .where('store_id', tx.storeId)
    .whereRaw('product_id = any(?)', [ids])
    .orderBy('category_id')
    .select('product_id', 'category_id')
  return assemble(products, variants, categories)
}

/**
 * Adds the variants with these SKUs from products that are not loaded. Rows that assign their SKUs to other products
 * are refused.
 */
async function addHolders(tx: StoreTx, { byId, bySku, slugs }: LoadedCatalog, skus: string[]): Promise<void> {
  const variants: VariantRow[] = await ProductVariant.in(tx)
    .whereRaw('sku = any(?) and deleted_at is null and product_id <> all(?)', [skus, [...byId.keys()]])
    .select(...VARIANT_COLUMNS)
  if (variants.length === 0) return
  for (const variant of variants) bySku.set(variant.sku, { ...variant })
  const holders = await Product.in(tx)
    .whereIn(
      'id',
      variants.map(({ productId }) => productId),
    )
    .select('id', 'slug')
  for (const { id, slug } of holders) slugs.set(id, slug)
}

function assemble(
  products: ProductRow[],
  variants: VariantRow[],
  categories: { product_id: string; category_id: string }[],
): LoadedCatalog {
  const byId = new Map<string, KnownProduct>(
    products.map((row) => [row.id, { product: { ...row }, variants: [], categoryIds: [] }]),
  )
  const inOrder = variants.map((row) => ({ ...row })).sort((a, b) => a.position - b.position)
  for (const variant of inOrder) byId.get(variant.productId)?.variants.push(variant)
  for (const { product_id, category_id } of categories) byId.get(product_id)?.categoryIds.push(category_id)
  const present = [...byId.values()].filter(({ product }) => product.deletedAt === null)
  return {
    byId,
    bySlug: new Map(present.map((known) => [known.product.slug, known])),
    bySku: new Map(inOrder.map((variant) => [variant.sku, variant])),
    slugs: new Map(products.map(({ id, slug }) => [id, slug])),
  }
}
