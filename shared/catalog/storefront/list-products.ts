import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { contextValues, type StorefrontContext } from './context.ts'
import { countProducts } from './count-products.ts'
import { type FilterSql, filterSql, type ProductFilter } from './product-filter.ts'
import { FIRST_OWN_VALUE, OFFER_CARD, PRODUCT_CARD, textSql } from './sql.ts'

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

const NAME = `lower(unaccent(coalesce(${textSql('p.name_i18n')}, '')))`
const CREATED = '(p.created_at)'
const PRICE = '(p.current_price_minor)'

/** What each order goes by. Equal ones are told apart by id, in the direction that an index is read in. */
const ORDERS: Record<ProductSort, string> = {
  '-created_at': `${CREATED} desc, p.id`,
  created_at: `${CREATED}, p.id desc`,
  name: `${NAME}, p.id`,
  '-name': `${NAME} desc, p.id desc`,
  price: `${PRICE}, p.id`,
  '-price': `${PRICE} desc, p.id desc`,
  relevance: `ts_rank(p.search, (select query from asked)) + word_similarity((select name from asked), p.search_name) desc, p.id`,
}

/** How deep lists go, and how large a page can be. */
export const MAX_LIST_DEPTH = 100_000
const LARGEST_PAGE = 100
const SHALLOW = 1_000

const depthOf = (lastItem: number) => (lastItem <= SHALLOW ? SHALLOW : MAX_LIST_DEPTH)

const statements = new Map<string, Statement>()

/** One page of published products as the JSON of a list, and how many there are in all. */
export async function listProducts(
  reader: StorefrontContext,
  filter: ProductFilter,
  { page, pageSize, sort }: ProductPage,
): Promise<{ json: string; total: number }> {
  // Without words nothing is more relevant than another.
  const order = sort === 'relevance' && filter.q === undefined ? '-created_at' : sort
  const sql = filterSql(reader, filter, FIRST_OWN_VALUE + 2)
  const values = [...contextValues(reader), `${pageSize}`, `${(page - 1) * pageSize}`, ...sql.values]
  const [rows, total] = await Promise.all([
    readInStore(reader.store.id, statementOf(sql, order, depthOf(page * pageSize)), values),
    countProducts(reader, filter),
  ])
  return { json: rows[0]?.[0] ?? '[]', total }
}

function statementOf(sql: FilterSql, order: ProductSort, depth: number): Statement {
  const name = `list_products ${depth} ${order} ${sql.shape}`
  const statement = statements.get(name) ?? { name, text: listText(sql, ORDERS[order], depth) }
  statements.set(name, statement)
  return statement
}

/**
 * First the page's ids, from an index where one serves the order; then only these products are looked at. The two
 * limits that are numbers stand there for the planner: of a limit that it does not know it expects a tenth of the
 * table, and would plan the statement anew for each request rather than trust the plan it has prepared.
 */
const listText = ({ withs, condition }: FilterSql, order: string, depth: number) => `
  ${withs}
  select json_agg(json_build_object(${PRODUCT_CARD}) order by page.place)
  from (
    select listed.id, row_number() over () as place
    from (
      select id from (select p.id from products p where ${condition} order by ${order} limit ${depth}) deep
      offset $${FIRST_OWN_VALUE + 1}::bigint limit ${LARGEST_PAGE}
    ) listed
    limit $${FIRST_OWN_VALUE}::bigint
  ) page
  join products p on p.store_id = ${CURRENT_STORE} and p.id = page.id
  ${OFFER_CARD}`
