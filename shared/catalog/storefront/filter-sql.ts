import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { publishedSql } from '#shared/catalog/storefront-context/sql.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import {
  attributesPart,
  categoryPart,
  idsPart,
  type NextPlaceholder,
  searchPart,
  skusPart,
  stockPart,
  unindexedPart,
} from './filter-parts.ts'
import type { ResolvedFilter } from './resolve-filter.ts'

/** A filter in SQL: the `with` before the select, the condition on product `p`, and the values of the placeholders. */
export interface FilterSql {
  /** Identifies the text of the SQL. There are few shapes, so few statements are prepared. */
  shape: string
  withs: string
  condition: string
  values: (string | null)[]
  /** Whether it has parts, and none of them is selective. */
  isUnselective: boolean
  /** Identifies the filter among those of one catalog version. */
  key: (string | null)[]
}

/** Builds the SQL of a filter, with placeholders from the number `first` on. */
export function filterSql(context: StorefrontContext, filter: ResolvedFilter, first: number): FilterSql {
  let next = first
  const nextPlaceholder: NextPlaceholder = () => `$${next++}`
  const parts = [
    searchPart(context, filter, nextPlaceholder),
    categoryPart(filter, nextPlaceholder),
    attributesPart(filter, nextPlaceholder),
    idsPart(filter, nextPlaceholder),
    skusPart(filter, nextPlaceholder),
    stockPart(filter),
    unindexedPart(filter, nextPlaceholder),
  ].filter((part) => part !== null)
  const ctes = parts.flatMap(({ cte }) => cte ?? [])
  return {
    shape: parts.map(({ shape }) => shape).join('+'),
    withs: ctes.length ? `with recursive ${ctes.join(', ')}` : '',
    condition: [
      `p.store_id = ${CURRENT_STORE}`,
      publishedSql('p'),
      ...isOneOf(parts.flatMap(({ ids }) => ids ?? [])),
      ...parts.flatMap(({ condition }) => condition ?? []),
    ].join(' and '),
    values: parts.flatMap(({ values }) => values),
    isUnselective: parts.length > 0 && !parts.some(({ isSelective }) => isSelective),
    key: parts.flatMap(({ key, values }) => key ?? values),
  }
}

/**
 * Returns the condition that all lists of ids contain the id of product `p`. With a condition for each list, PostgreSQL
 * before 17 would look up every combination of their ids.
 */
function isOneOf(lists: readonly string[]): string[] {
  if (lists.length === 0) return []
  const [first, ...others] = lists.map((list) => `${list}::uuid[]`)
  if (others.length === 0) return [`p.id = any(${first})`]
  const common = [first, ...others].map((list) => `select unnest(${list})`).join(' intersect ')
  return [`p.id = any(array(${common}))`]
}
