import type { Page } from '#shared/platform/db/list-query.ts'
import { likePattern, sortOrder } from '#shared/platform/db/list-query.ts'
import { type QueryBuilderType, raw } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { loadParts, Product, type WholeProduct } from './product.ts'
import { searchConfiguration } from './search-text.ts'

export const ADMIN_PRODUCT_SORTS = [
  '-created_at',
  'created_at',
  '-updated_at',
  'updated_at',
  'name',
  '-name',
  'price',
  '-price',
] as const

/** The filters of the staff's product list. `createdFrom` is inclusive, `createdTo` exclusive. */
export interface AdminProductFilter {
  q?: string
  isActive?: boolean
  /** Only deleted products. Default: only products that are not deleted. */
  deleted?: boolean
  categoryId?: string
  /** Of the product or one of its variants. */
  sku?: string
  createdFrom?: Date
  createdTo?: Date
}

export interface AdminProductPage {
  page: number
  pageSize: number
  sort: (typeof ADMIN_PRODUCT_SORTS)[number]
}

/** One page of products with their parts, with the total number. */
export async function findProducts(
  tx: StoreTx,
  store: Store,
  filter: AdminProductFilter,
  { page, pageSize, sort }: AdminProductPage,
): Promise<Page<WholeProduct>> {
  const matching = Product.in(tx)
  if (filter.deleted) matching.whereNotNull('deleted_at')
  else matching.whereNull('deleted_at')
  applyFilter(matching, tx, store, filter)
  const { by, direction } = sortOrder(sort)
  const total = await matching.clone().resultSize()
  const products = await matching
    .orderBy(sortKey(by, store), direction)
    .orderBy('id', direction === 'desc' ? 'asc' : 'desc')
    .offset((page - 1) * pageSize)
    .limit(pageSize)
  return { results: await loadParts(tx, products), total }
}

const sortKey = (field: string, { defaultLanguage }: Store) => {
  if (field === 'name') return raw('lower(unaccent(coalesce(name_i18n ->> ?, search_name)))', defaultLanguage)
  return field === 'price' ? 'price_minor' : field === 'updated_at' ? 'updated_at' : 'created_at'
}

function applyFilter(
  query: QueryBuilderType<Product>,
  tx: StoreTx,
  store: Store,
  filter: AdminProductFilter,
): void {
  const { q, isActive, deleted, categoryId, sku, createdFrom, createdTo } = filter
  if (isActive !== undefined) query.where('is_active', isActive)
  if (createdFrom) query.where('created_at', '>=', createdFrom)
  if (createdTo) query.where('created_at', '<', createdTo)
  if (categoryId)
    query.whereIn(
      'id',
      tx
        .knex('product_categories')
        .where({ store_id: tx.storeId, category_id: categoryId })
        .select('product_id'),
    )
  if (sku)
    query.where((either) => either.where('sku', sku).orWhereIn('id', productsWithSku(tx, sku, deleted)))
  if (q)
    query.where((either) =>
      either
        .whereRaw('search @@ websearch_to_tsquery(?::regconfig, unaccent(?))', [
          searchConfiguration(store.defaultLanguage),
          q,
        ])
        .orWhereRaw('search_name like ?', likePattern(q.toLowerCase()))
        .orWhereIn('id', productsWithSku(tx, q, deleted)),
    )
}

const productsWithSku = (tx: StoreTx, sku: string, deleted = false) => {
  const variants = tx.knex('product_variants').where({ store_id: tx.storeId, sku }).select('product_id')
  return deleted ? variants.whereNotNull('deleted_at') : variants.whereNull('deleted_at')
}
