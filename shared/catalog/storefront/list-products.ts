import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { textOrEmptySql } from '#shared/catalog/storefront-context/sql.ts'
import { versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { jsonSql } from '#shared/platform/db/json-fields.ts'
import type { Row } from '#shared/platform/db/pg-internals.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { HAS_SEARCHED_SKU } from './filter-parts.ts'
import { type FilterSql, filterSql } from './filter-sql.ts'
import { FIRST_VALUE_AFTER_PRICES, type PriceSql, readPricesAtPlace } from './prices-at-place.ts'
import { offerSql, productCardFields, variantCardFields } from './product-card.ts'
import { type ProductFilter, type ResolvedFilter, resolveFilter } from './resolve-filter.ts'
import { withFilterPermit, withSortPermit } from './scan-permits.ts'

export const PRODUCT_SORTS = [
  '-created_at',
  'created_at',
  'name',
  '-name',
  'price',
  '-price',
  'relevance',
] as const
export type ProductSort = (typeof PRODUCT_SORTS)[number]

export interface ProductPage {
  page: number
  pageSize: number
  sort: ProductSort
}

const NAME = `lower(unaccent(${textOrEmptySql('p.name_i18n')}))`
const CREATED = '(p.created_at)'
const PRICE = '(p.current_price_minor)'

/** The `order by` of each sort. Ids break ties, in the direction of the index. */
const ORDERS: Record<ProductSort, string> = {
  '-created_at': `${CREATED} desc, p.id`,
  created_at: `${CREATED}, p.id desc`,
  name: `${NAME}, p.id`,
  '-name': `${NAME} desc, p.id desc`,
  price: `${PRICE}, p.id`,
  '-price': `${PRICE} desc, p.id desc`,
  relevance: `${HAS_SEARCHED_SKU} desc, ts_rank(p.search, (select query from search)) desc, p.id`,
}

/** The sorts without an index. Eight sorts of 100,000 names at a time kept other stores waiting. */
const SORTS_BY_TEXT: ReadonlySet<ProductSort> = new Set(['name', '-name'])
/** In a catalog with more of them, a sort by names and an unselective filter need a permit. */
const MANY_PRODUCTS = 5_000

/** The position of the last item that a list returns. */
export const MAX_LIST_DEPTH = 100_000
const MAX_PAGE_SIZE = 100
const SHALLOW_DEPTH = 1_000

const depthOf = (lastItem: number) => (lastItem <= SHALLOW_DEPTH ? SHALLOW_DEPTH : MAX_LIST_DEPTH)

const statements = new Map<string, Statement>()

function prepare(name: string, text: () => string): Statement {
  const statement = statements.get(name) ?? { name, text: text() }
  statements.set(name, statement)
  return statement
}

/** Returns one page of published products as a JSON list, with the total number of products that pass the filter. */
export async function listProducts(
  context: StorefrontContext,
  requested: ProductFilter,
  { page, pageSize, sort }: ProductPage,
): Promise<{ json: string; total: number }> {
  const filter = await resolveFilter(context, requested)
  // Without a search all products are equally relevant.
  const order = sort === 'relevance' && filter.q === undefined ? '-created_at' : sort
  const depth = depthOf(page * pageSize)
  const sql = filterSql(context, filter, FIRST_VALUE_AFTER_PRICES + 2)
  const prices = await readPricesAtPlace(context)
  const values = [...prices.values, `${pageSize}`, `${(page - 1) * pageSize}`, ...sql.values]
  const total = countProducts(context, filter)
  const statement = prepare(`list_products ${prices.sql.name} ${depth} ${order} ${sql.shape}`, () =>
    productPageSql(sql, prices.sql, ORDERS[order], depth),
  )
  const storeId = context.store.id
  const read = (timeoutMs?: number) => readInStore(storeId, statement, values, timeoutMs)
  const rows =
    SORTS_BY_TEXT.has(order) && (await total) > MANY_PRODUCTS
      ? withSortPermit(storeId, read)
      : readFiltered(context, sql, read)
  const [[row], count] = await Promise.all([rows, total])
  return { json: row?.[0] ?? '[]', total: count }
}

/** Runs a read of the products that pass a filter. It can read all products to find them. */
async function readFiltered(
  context: StorefrontContext,
  { isUnselective }: FilterSql,
  read: () => Promise<Row[]>,
): Promise<Row[]> {
  const needsPermit = isUnselective && (await countProducts(context, {})) > MANY_PRODUCTS
  return needsPermit ? withFilterPermit(context.store.id, read) : read()
}

/**
 * Returns the SQL of a page. The inner selects find the ids of the page, by an index if one fits the sort. Only these
 * products are joined. Limits are literals: for a parameter the planner assumes a tenth of the table, and would plan
 * each execution instead of keeping a generic plan.
 */
export const productPageSql = (sql: FilterSql, prices: PriceSql, order: string, depth: number) => `
  ${sql.withs}
  select json_agg(${jsonSql(productCardFields(prices))} order by page.position)
  from (
    select listed.id, row_number() over () as position
    from (
      select id from (select p.id from products p where ${sql.condition} order by ${order} limit ${depth}) deep
      offset $${FIRST_VALUE_AFTER_PRICES + 1}::bigint limit ${MAX_PAGE_SIZE}
    ) listed
    limit $${FIRST_VALUE_AFTER_PRICES}::bigint
  ) page
  join products p on p.store_id = ${CURRENT_STORE} and p.id = page.id
  ${prices.join('p')}
  ${offerSql(jsonSql(variantCardFields(prices)))}`

const cacheCount = versionedCache<number>(10_000)

/**
 * Returns the number of published products that pass a filter. It is counted once for each catalog version and shared
 * by all pages.
 */
function countProducts(context: StorefrontContext, filter: ResolvedFilter): Promise<number> {
  const sql = filterSql(context, filter, 1)
  return cacheCount(context, [sql.shape, sql.key], async () => {
    const statement = prepare(
      `count_products ${sql.shape}`,
      () => `${sql.withs} select count(*) from products p where ${sql.condition}`,
    )
    const [row] = await readFiltered(context, sql, () => readInStore(context.store.id, statement, sql.values))
    return Number(row?.[0] ?? 0)
  })
}
