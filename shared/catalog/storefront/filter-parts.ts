import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { publishedSql } from '#shared/catalog/storefront-context/sql.ts'
import { availableSql } from '#shared/inventory/stock-level.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { PRODUCTS_IN_WANTED_CATEGORIES, wantedCategoriesSql } from './find-products-of-category.ts'
import { attributeValues, productsWithAttributesSql } from './find-products-with-attributes.ts'
import type { ProductFilter, ResolvedFilter } from './resolve-filter.ts'

/** Returns the next placeholder. */
export type NextPlaceholder = () => string

/** The SQL of one filter. */
interface Part {
  shape: string
  /** Whether it names few products, which an index finds. */
  isSelective?: true
  cte?: string
  /** A condition on product `p`. */
  condition?: string
  /** The placeholder of the ids (`uuid[]`) of the products. */
  ids?: string
  values: (string | null)[]
  /** The part of the filter's key with the values. */
  key?: string[]
}

/** SQL: whether the SKU of a published variant of product `p` equals the searched words. */
export const HAS_SEARCHED_SKU = `p.id in (
  select sold.product_id from product_variants sold
  where sold.store_id = ${CURRENT_STORE} and sold.sku = (select words from search) and ${publishedSql('sold')})`

export function searchPart(
  { store, language }: StorefrontContext,
  { q, search }: ResolvedFilter,
  nextPlaceholder: NextPlaceholder,
): Part | null {
  if (q === undefined || search === undefined) return null
  const [query, words] = [nextPlaceholder(), nextPlaceholder()]
  const part = {
    cte: `search as materialized (select ${query}::text::tsquery as query, ${words}::text as words)`,
    key: [q, language, store.defaultLanguage],
  }
  if (search.ids !== null)
    return {
      ...part,
      shape: 'q',
      isSelective: true,
      ids: nextPlaceholder(),
      values: [search.query, q, search.ids],
    }
  return {
    ...part,
    shape: 'common-q',
    condition: `(p.search @@ (select query from search) or ${HAS_SEARCHED_SKU})`,
    values: [search.query, q],
  }
}

export function categoryPart(
  { category, idsInCategory = null }: ResolvedFilter,
  nextPlaceholder: NextPlaceholder,
): Part | null {
  if (category === undefined) return null
  if (idsInCategory !== null)
    return {
      shape: 'category',
      isSelective: true,
      ids: nextPlaceholder(),
      values: [idsInCategory],
      key: [category],
    }
  return {
    shape: 'large-category',
    cte: `wanted_categories as (${wantedCategoriesSql(nextPlaceholder())})`,
    // `is true` prevents a join, which would look up each product of the category before the sort.
    condition: `(p.id in (${PRODUCTS_IN_WANTED_CATEGORIES})) is true`,
    values: [category],
  }
}

export function attributesPart(
  { attributes, idsWithAttributes = null }: ResolvedFilter,
  nextPlaceholder: NextPlaceholder,
): Part | null {
  if (attributes === undefined) return null
  const values = attributeValues(attributes)
  if (idsWithAttributes !== null)
    return {
      shape: 'attributes',
      isSelective: true,
      ids: nextPlaceholder(),
      values: [idsWithAttributes],
      key: values,
    }
  const [ids, listedValues, count] = [nextPlaceholder(), nextPlaceholder(), nextPlaceholder()]
  return {
    shape: 'common-attributes',
    condition: `(p.id in (${productsWithAttributesSql(ids, listedValues, count)})) is true`,
    values,
  }
}

export function idsPart({ ids }: ProductFilter, nextPlaceholder: NextPlaceholder): Part | null {
  if (ids === undefined) return null
  return { shape: 'ids', isSelective: true, ids: nextPlaceholder(), values: [`{${ids.join()}}`] }
}

export function skusPart({ skus }: ProductFilter, nextPlaceholder: NextPlaceholder): Part | null {
  if (skus === undefined) return null
  return {
    shape: 'skus',
    isSelective: true,
    cte: `wanted_skus as materialized (select array(select json_array_elements_text(${nextPlaceholder()}::json)) as skus)`,
    condition: `p.id in (
      select named.id from products named
      where named.store_id = ${CURRENT_STORE} and named.sku = any((select skus from wanted_skus)::text[])
        and named.deleted_at is null
      union all
      select sold.product_id from product_variants sold
      where sold.store_id = ${CURRENT_STORE} and sold.sku = any((select skus from wanted_skus)::text[])
        and ${publishedSql('sold')})`,
    values: [JSON.stringify(skus)],
  }
}

const CAN_BE_SOLD = `v.backorder or ${availableSql('v')} > 0`

const productsInStockSql = (canBeSold: string) => `
  select v.product_id from product_variants v
  where v.store_id = ${CURRENT_STORE} and ${publishedSql('v')} and ${canBeSold}`

/** Returns the filter by stock. */
export function stockPart({ inStock }: ProductFilter): Part | null {
  if (inStock === undefined) return null
  // PostgreSQL reads the variants of each product if it expects few products, and otherwise all variants once.
  if (inStock)
    return { shape: 'in-stock', condition: `p.id in (${productsInStockSql(`(${CAN_BE_SOLD})`)})`, values: [] }
  // `not in` reads all variants once, into a hash table. `not exists` would compare each product with all variants.
  // PostgreSQL uses a hash table only if it expects it to fit into memory, so an equation makes it expect few variants.
  return {
    shape: 'out-of-stock',
    condition: `p.id not in (${productsInStockSql(`case when ${CAN_BE_SOLD} then 1 else 0 end = 1`)})`,
    values: [],
  }
}

const UNINDEXED_FILTERS = ['manufacturerIds', 'tag', 'priceMinMinor', 'priceMaxMinor'] as const

/** Returns all filters without an index as one part of the text, so that there are few shapes. */
export function unindexedPart(filter: ProductFilter, nextPlaceholder: NextPlaceholder): Part | null {
  if (UNINDEXED_FILTERS.every((name) => filter[name] === undefined)) return null
  const [manufacturer, tag, min, max] = [
    nextPlaceholder(),
    nextPlaceholder(),
    nextPlaceholder(),
    nextPlaceholder(),
  ]
  return {
    shape: 'narrow',
    condition: `(${manufacturer}::text is null or p.manufacturer_id = any(string_to_array(${manufacturer}::text, ',')::uuid[]))
      and (${tag}::text is null or ${tag}::text = any(p.tags))
      and (${min}::bigint is null or p.current_price_minor >= ${min}::bigint)
      and (${max}::bigint is null or p.current_price_minor <= ${max}::bigint)`,
    values: UNINDEXED_FILTERS.map((name) => filter[name]?.toString() ?? null),
  }
}
