import { PRODUCTS_WITH_CHANGED_STOCK } from '#shared/inventory/stock-level.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

// A sale changes the stock without locking the product, so the variant has the time of this change.

const OWN_VARIANTS = `
  from product_variants v
  where v.store_id = ${CURRENT_STORE} and v.product_id = products.id
    and v.deleted_at is not distinct from products.deleted_at`

/** SQL: the time of the last change of a product or of its stock. */
export const CHANGED_AT = `greatest(products.updated_at, (select max(v.stock_changed_at) ${OWN_VARIANTS}))`

/** SQL: whether the stock of a product changed at a time or later. */
const HAS_STOCK_CHANGED = `exists (select ${OWN_VARIANTS} and v.stock_changed_at >= ?::timestamptz)`

/** Finds by indexes a superset of the products that changed at a time or later. */
const MAYBE_CHANGED = `
  select id from products where store_id = ${CURRENT_STORE} and updated_at >= ?::timestamptz
  union all ${PRODUCTS_WITH_CHANGED_STOCK}`

/**
 * The most changes that are found by an index. PostgreSQL looks up each of them separately. For many, that takes ten
 * times as long as reading all products.
 */
const MAX_BY_INDEX = 5_000

export interface ChangedFilter extends Pick<ListFilter, 'updated_from' | 'updated_to'> {
  /** Whether few products changed since `updated_from`, so that an index finds them. */
  hasFewChanges?: boolean
}

/** Adds `hasFewChanges` to a filter. It counts the changes up to a limit. */
export async function addHasFewChanges<F extends ChangedFilter>(tx: StoreTx, filter: F): Promise<F> {
  const { updated_from: from } = filter
  if (!from) return filter
  const { rows } = await tx.knex.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from (${MAYBE_CHANGED} limit ?) as changed`,
    [from, from, MAX_BY_INDEX + 1],
  )
  return { ...filter, hasFewChanges: (rows[0]?.count ?? 0) <= MAX_BY_INDEX }
}

interface Query {
  whereRaw(sql: string, bindings: string[]): unknown
}

/** Narrows a query to products whose last change is at `updated_from` or later, and before `updated_to`. */
export function filterByChange(
  query: Query,
  { updated_from: from, updated_to: to, hasFewChanges }: ChangedFilter,
): void {
  if (from && hasFewChanges) query.whereRaw(`products.id in (${MAYBE_CHANGED})`, [from, from])
  if (from) query.whereRaw(`(products.updated_at >= ?::timestamptz or ${HAS_STOCK_CHANGED})`, [from, from])
  // Two conditions, so that PostgreSQL can plan the second one as an anti-join.
  if (to) query.whereRaw(`products.updated_at < ?::timestamptz and not ${HAS_STOCK_CHANGED}`, [to, to])
}
