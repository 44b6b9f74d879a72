import { Type } from 'typebox'
import { loadParts, Product, type WholeProduct } from '#shared/catalog/product.ts'
import { type FilterOf, type LeadingOrder, List } from '#shared/platform/db/list.ts'
import { likePattern, type Page, sortOrder } from '#shared/platform/db/list-query.ts'
import type { QueryBuilderType } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { UpdatedQuery } from '#shared/platform/http/query-parameters.ts'
import { Line, Uuid } from '#shared/platform/http/schema.ts'
import type { Store } from '#shared/stores/store.ts'
import { addHasFewChanges, CHANGED_AT, type ChangedFilter, filterByChange } from './changed-products.ts'
import { searchConfiguration } from './search-text.ts'

export const ADMIN_PRODUCTS = new List({
  // `search_name` starts with the name in the store's default language, so this sorts by it.
  sorts: { created_at: 'created_at', updated_at: CHANGED_AT, name: 'search_name', price: 'price_minor' },
  order: '-created_at',
  searches: 'Words of names, descriptions and tags, part of a name, or a SKU',
  relevance: 'the exact SKU first, then the exact name, then by rank',
  filters: {
    is_active: Type.Optional(Type.Boolean()),
    deleted: Type.Optional(
      Type.Boolean({ description: 'List only deleted products, which can be restored' }),
    ),
    category_id: Type.Optional(Uuid),
    sku: Type.Optional(Line(100)),
    ...UpdatedQuery,
  },
})

export type AdminProductFilter = FilterOf<typeof ADMIN_PRODUCTS>

/** The filter of an export of products. `addHasFewChanges` completes it. */
export type ExportFilter = Omit<AdminProductFilter, 'page' | 'page_size' | 'sort'> & ChangedFilter

/** Returns one page of products with their parts, with the total number. */
export async function listAdminProducts(
  tx: StoreTx,
  store: Store,
  filter: AdminProductFilter,
): Promise<Page<WholeProduct>> {
  const matching = Product.in(tx)
  if (filter.deleted) matching.whereNotNull('deleted_at')
  else matching.whereNull('deleted_at')
  applyFilter(matching, tx, store, await addHasFewChanges(tx, filter))
  const { results, total } = await ADMIN_PRODUCTS.page(
    matching,
    withoutTimes(filter),
    leadingOrder(filter, store),
  )
  return { results: await loadParts(tx, results), total }
}

/** Returns a query of all products that match the filter of the staff's list. */
export function matchingProducts(tx: StoreTx, store: Store, filter: ExportFilter): QueryBuilderType<Product> {
  const matching = Product.in(tx)
  if (filter.deleted) matching.whereNotNull('deleted_at')
  else matching.whereNull('deleted_at')
  applyFilter(matching, tx, store, filter)
  ADMIN_PRODUCTS.filter(matching, withoutTimes(filter))
  return matching
}

/** Returns the filter without the times of changes, which `filterByChange` applies. */
const withoutTimes = <F extends ChangedFilter>({ updated_from: _, updated_to: __, ...filter }: F) => filter

/**
 * Returns the leading order of a list. A search without a sort is sorted by relevance. Names are sorted in the store's
 * default language.
 */
function leadingOrder({ q, sort, deleted }: AdminProductFilter, store: Store): LeadingOrder | undefined {
  if (q && !sort) return byRelevance(q, store, deleted)
  const { by, direction } = sortOrder(sort ?? '')
  if (by !== 'name') return undefined
  const sql = `lower(unaccent(coalesce(name_i18n ->> ?, search_name))) ${direction}`
  return { sql, bindings: [store.defaultLanguage] }
}

// The variants are found once. A condition that names `products` would find them again for each match.
const relevanceSql = (variants: string): string => `
  case when sku = ? or id in (
      select product_id from product_variants where store_id = ? and sku = ? and ${variants}) then 0
    when lower(unaccent(?)) in (select lower(unaccent(value)) from jsonb_each_text(name_i18n)) then 1 else 2 end,
  ts_rank(search, websearch_to_tsquery(?::regconfig, unaccent(?))) desc`

const byRelevance = (q: string, { id, defaultLanguage }: Store, deleted = false): LeadingOrder => ({
  sql: relevanceSql(deleted ? 'deleted_at is not null' : 'deleted_at is null'),
  bindings: [q, id, q, q, searchConfiguration(defaultLanguage), q],
})

function applyFilter(
  query: QueryBuilderType<Product>,
  tx: StoreTx,
  store: Store,
  filter: ExportFilter,
): void {
  const { q, is_active, deleted, category_id, sku } = filter
  if (is_active !== undefined) query.where({ is_active })
  filterByChange(query, filter)
  if (category_id)
    query.whereIn(
      'id',
      tx.knex('product_categories').where({ store_id: tx.storeId, category_id }).select('product_id'),
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
