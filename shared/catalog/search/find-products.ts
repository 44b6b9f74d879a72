import { loadParts, Product, type WholeProduct } from '#shared/catalog/product.ts'
import { PRODUCTS_WITH_CHANGED_STOCK } from '#shared/inventory/stock-level.ts'
import { type LeadingOrder, List } from '#shared/platform/db/list.ts'
import { type ListFilter, likePattern, type Page, sortOrder } from '#shared/platform/db/list-query.ts'
import type { QueryBuilderType } from '#shared/platform/db/model.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { searchConfiguration } from './search-text.ts'

// A sale changes the stock without locking the product: its time is in the variant.
const CHANGED_AT = `greatest(products.updated_at, (
  select max(v.stock_changed_at) from product_variants v
  where v.store_id = products.store_id and v.product_id = products.id
    and v.deleted_at is not distinct from products.deleted_at))`

/** A superset of the products that changed since a time, found by indexes. */
const CHANGED_SINCE = `id in (
  select id from products where store_id = ${CURRENT_STORE} and updated_at >= ?::timestamptz
  union all ${PRODUCTS_WITH_CHANGED_STOCK})`

export const ADMIN_PRODUCTS = new List({
  // The name is that of the store's default language, which `findProducts` puts first.
  sorts: { created_at: 'created_at', updated_at: CHANGED_AT, name: 'search_name', price: 'price_minor' },
  order: '-created_at',
  searches: 'Words of names, descriptions and tags, part of a name, or a SKU',
  relevance: 'the exact SKU first, then the exact name, then by rank',
  updatedAt: CHANGED_AT,
})

/** The filters of the staff's product list. */
export interface AdminProductFilter extends ListFilter {
  isActive?: boolean
  /** Only deleted products. Default: only products that are not deleted. */
  deleted?: boolean
  categoryId?: string
  /** The SKU of the product or of a variant. */
  sku?: string
}

/** The filter of an export of products. */
export type ExportFilter = Omit<AdminProductFilter, 'page' | 'page_size' | 'sort'>

/** One page of products with their parts, with the total number. */
export async function findProducts(
  tx: StoreTx,
  store: Store,
  filter: AdminProductFilter,
): Promise<Page<WholeProduct>> {
  const matching = Product.in(tx)
  if (filter.deleted) matching.whereNotNull('deleted_at')
  else matching.whereNull('deleted_at')
  applyFilter(matching, tx, store, filter)
  const { results, total } = await ADMIN_PRODUCTS.page(matching, filter, leadingOrder(filter, store))
  return { results: await loadParts(tx, results), total }
}

/** The products of the staff's list: all that match a filter, without pages. */
export function matchingProducts(tx: StoreTx, store: Store, filter: ExportFilter): QueryBuilderType<Product> {
  const matching = Product.in(tx)
  if (filter.deleted) matching.whereNotNull('deleted_at')
  else matching.whereNull('deleted_at')
  applyFilter(matching, tx, store, filter)
  ADMIN_PRODUCTS.filter(matching, filter)
  return matching
}

/** A search without a sort is in the order of relevance; names are those of the store's default language. */
function leadingOrder({ q, sort }: AdminProductFilter, store: Store): LeadingOrder | undefined {
  if (q && !sort) return byRelevance(q, store)
  const { by, direction } = sortOrder(sort ?? '')
  if (by !== 'name') return undefined
  const sql = `lower(unaccent(coalesce(name_i18n ->> ?, search_name))) ${direction}`
  return { sql, bindings: [store.defaultLanguage] }
}

const RELEVANCE = `
  case when sku = ? or id in (
      select product_id from product_variants v
      where v.store_id = products.store_id and v.sku = ? and v.deleted_at is not distinct from products.deleted_at) then 0
    when lower(unaccent(?)) in (select lower(unaccent(value)) from jsonb_each_text(name_i18n)) then 1 else 2 end,
  ts_rank(search, websearch_to_tsquery(?::regconfig, unaccent(?))) desc`

const byRelevance = (q: string, { defaultLanguage }: Store): LeadingOrder => ({
  sql: RELEVANCE,
  bindings: [q, q, q, searchConfiguration(defaultLanguage), q],
})

function applyFilter(
  query: QueryBuilderType<Product>,
  tx: StoreTx,
  store: Store,
  filter: ExportFilter,
): void {
  const { q, isActive, deleted, categoryId, sku, updated_from } = filter
  if (isActive !== undefined) query.where('is_active', isActive)
  if (updated_from) query.whereRaw(CHANGED_SINCE, [updated_from, updated_from])
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
