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

/** The existing products and variants that rows refer to, and the SKUs of earlier rows. */
export interface KnownCatalog {
  /** Without deleted products. */
  bySlug: Map<string, KnownProduct>
  byId: Map<string, KnownProduct>
  /** The variants of all loaded products, and those of others that have a SKU of the rows. */
  bySku: Map<string, VariantRow>
  /** The slug of each product that has a variant in `bySku`. */
  slugs: Map<string, string>
  claimedSkus: Map<string, ClaimedSku>
  /** Ids of the products that match a handle of these rows. */
  matchedIds: Set<string>
}

type Groups = ReadonlyMap<string, ImportRow[]>

const skusOf = (rows: ImportRow[]): string[] =>
  rows.flatMap(({ variant }) => variant?.sku ?? variant?.generatedSku() ?? [])

/** Loads and locks the products that rows may be about with their variants, each in the order of their ids. */
export async function loadKnownCatalog(tx: StoreTx, job: ImportJob, groups: Groups): Promise<KnownCatalog> {
  const slugs = [...groups.keys()]
  const skus = [...groups.values()].flatMap(skusOf)
  const taken = await findClaimed(tx, job.id, slugs, skus)
  const holders = await findHolders(tx, skus)
  const known = await loadProducts(tx, slugs, renamedIds(groups, holders))
  await addHolders(tx, known, skus)
  if (job.dryRun) addPlanned(known, taken)
  return {
    ...known,
    claimedSkus: new Map(taken.map(({ key, record, line }) => [key, { slug: record, line }])),
    matchedIds: new Set(slugs.flatMap((slug) => known.bySlug.get(slug)?.product.id ?? [])),
  }
}

/** The product that has a variant with each SKU. */
async function findHolders(tx: StoreTx, skus: string[]): Promise<Map<string, string>> {
  const rows: { sku: string; product_id: string }[] = await tx
    .knex('product_variants')
    .where({ store_id: tx.storeId, deleted_at: null })
    .whereRaw('sku = any(?)', [skus])
    .select('sku', 'product_id')
  return new Map(rows.map(({ sku, product_id }) => [sku, product_id]))
}

/** The product that has all SKUs of the rows: theirs, if its slug was changed (see `matchProduct`). */
function renamedId(rows: ImportRow[], holders: Map<string, string>): string[] {
  const [id, ...others] = new Set(skusOf(rows).map((sku) => holders.get(sku)))
  return id && others.length === 0 ? [id] : []
}

const renamedIds = (groups: Groups, holders: Map<string, string>): string[] => [
  ...new Set([...groups.values()].flatMap((rows) => renamedId(rows, holders))),
]

type Known = Omit<KnownCatalog, 'claimedSkus' | 'matchedIds'>

const NAMED = '(slug = any(?) and deleted_at is null or id = any(?))'

async function loadProducts(tx: StoreTx, slugs: string[], productIds: string[]): Promise<Known> {
  const products: ProductRow[] = await Product.in(tx)
    .whereRaw(NAMED, [slugs, productIds])
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

/** Adds the variants with these SKUs of products that are not loaded: rows that give them to others are refused. */
async function addHolders(tx: StoreTx, { byId, bySku, slugs }: Known, skus: string[]): Promise<void> {
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

// Memory holds several times as many: rows, plans, events and their JSON.
const MAX_PART_BYTES = 4 * 1024 * 1024

/**
 * Divides groups into parts, in their order, whose products take at most `MAX_PART_BYTES` together: a short file may
 * name many large products. Locks the products of all parts, as `loadKnownCatalog` does.
 */
export async function divideBySize(tx: StoreTx, groups: Groups): Promise<Map<string, ImportRow[]>[]> {
  const holders = await findHolders(tx, [...groups.values()].flatMap(skusOf))
  const bytes = await measureProducts(tx, [...groups.keys()], renamedIds(groups, holders))
  let part = new Map<string, ImportRow[]>()
  const parts = [part]
  let left = MAX_PART_BYTES
  for (const [slug, rows] of groups) {
    const size = [slug, ...renamedId(rows, holders)].reduce((sum, key) => sum + (bytes.get(key) ?? 0), 0)
    if (size > left && part.size > 0) {
      part = new Map()
      parts.push(part)
      left = MAX_PART_BYTES
    }
    left -= size
    part.set(slug, rows)
  }
  return parts
}

/** The bytes of products with their variants, by slug and by id. */
async function measureProducts(
  tx: StoreTx,
  slugs: string[],
  productIds: string[],
): Promise<Map<string, number>> {
  const products: { id: string; slug: string; bytes: number }[] = await tx
    .knex('products as p')
    .where('store_id', tx.storeId)
    .whereRaw(NAMED, [slugs, productIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .select('id', 'slug', tx.knex.raw('octet_length(p::text) as bytes'))
  const bytes = new Map(products.map((one) => [one.id, one.bytes]))
  const variants: { product_id: string; bytes: number }[] = await tx
    .knex('product_variants as v')
    .where('store_id', tx.storeId)
    .whereRaw('product_id = any(?) and deleted_at is null', [[...bytes.keys()]])
    .orderBy('id')
    .forNoKeyUpdate()
    .select('product_id', tx.knex.raw('octet_length(v::text) as bytes'))
  for (const { product_id: id, bytes: more } of variants) bytes.set(id, (bytes.get(id) ?? 0) + more)
  for (const { id, slug } of products) bytes.set(slug, bytes.get(id) ?? 0)
  return bytes
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
    slugs: new Map(products.map(({ id, slug }) => [id, slug])),
  }
}

/** Adds the variants of earlier batches of a dry run, which saves nothing. */
function addPlanned({ byId, bySlug, bySku, slugs }: Known, taken: ClaimedKey[]): void {
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
    slugs.set(known.product.id, slug)
  }
}

const withValues = (options: ProductOption[], values: Record<string, string>): ProductOption[] =>
  Object.entries(values).map(([name, value]) => {
    const before = options.find((option) => option.name === name)?.values ?? []
    return { name, values: before.includes(value) ? before : [...before, value] }
  })
