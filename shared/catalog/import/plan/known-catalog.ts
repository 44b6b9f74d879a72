import type { ImportRow } from '#shared/catalog/import/rows/read-row.ts'
import {
  newProduct,
  newVariant,
  PRODUCT_COLUMNS,
  type ProductRow,
  VARIANT_COLUMNS,
  type VariantRow,
} from '#shared/catalog/import/rows/rows.ts'
import { Product, type ProductOption } from '#shared/catalog/product.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { type ClaimedKey, findClaimed } from '#shared/imports/claimed-keys.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** An existing product with its variants by position. */
export interface KnownProduct {
  product: ProductRow
  variants: VariantRow[]
  categoryIds: string[]
}

/** An earlier row of the file with a SKU. */
export interface ClaimedSku {
  slug: string
  line: number
}

/** The existing products and variants that a batch refers to, and the SKUs of earlier rows. */
export interface KnownCatalog {
  /** Without deleted products. */
  bySlug: Map<string, KnownProduct>
  byId: Map<string, KnownProduct>
  /** The variants of all loaded products. */
  bySku: Map<string, VariantRow>
  claimedSkus: Map<string, ClaimedSku>
  /** Ids of the products that match a handle of this batch. */
  matchedIds: Set<string>
}

/** Loads and locks the products and variants of a batch, each in the order of their ids. */
export async function loadKnownCatalog(
  tx: StoreTx,
  job: ImportJob,
  groups: Map<string, ImportRow[]>,
): Promise<KnownCatalog> {
  const slugs = [...groups.keys()]
  const skus = [...groups.values()]
    .flat()
    .flatMap(({ variant }) => variant?.sku ?? variant?.generatedSku() ?? [])
  const taken = await findClaimed(tx, job.id, slugs, skus)
  const productIds = await tx
    .knex('product_variants')
    .where({ store_id: tx.storeId, deleted_at: null })
    .whereRaw('sku = any(?)', [skus])
    .distinct()
    .pluck('product_id')
  const known = await loadProducts(tx, slugs, productIds)
  if (job.dryRun) addPlanned(known, taken)
  return {
    ...known,
    claimedSkus: new Map(taken.map(({ key, record, line }) => [key, { slug: record, line }])),
    matchedIds: new Set(slugs.flatMap((slug) => known.bySlug.get(slug)?.product.id ?? [])),
  }
}

type Known = Omit<KnownCatalog, 'claimedSkus' | 'matchedIds'>

async function loadProducts(tx: StoreTx, slugs: string[], productIds: string[]): Promise<Known> {
  const products: ProductRow[] = await Product.in(tx)
    .whereRaw('(slug = any(?) and deleted_at is null or id = any(?))', [slugs, productIds])
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

function assemble(
  products: ProductRow[],
  variants: VariantRow[],
  categories: { product_id: string; category_id: string }[],
): Known {
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
  }
}

/** Adds the variants of earlier batches of a dry run, which saves nothing. */
function addPlanned({ byId, bySlug, bySku }: Known, taken: ClaimedKey[]): void {
  for (const { record: slug, key: sku, details: optionValues } of taken) {
    if (bySku.has(sku)) continue
    const known = bySlug.get(slug) ?? { product: newProduct(slug), variants: [], categoryIds: [] }
    known.product.options = withValues(known.product.options, optionValues)
    const variant = {
      ...newVariant(known.product.id, sku, known.variants.length),
      optionValues,
    }
    known.variants.push(variant)
    bySku.set(sku, variant)
    bySlug.set(slug, known)
    byId.set(known.product.id, known)
  }
}

const withValues = (options: ProductOption[], values: Record<string, string>): ProductOption[] =>
  Object.entries(values).map(([name, value]) => {
    const before = options.find((option) => option.name === name)?.values ?? []
    return { name, values: before.includes(value) ? before : [...before, value] }
  })
