import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { publishedSql } from '#shared/catalog/storefront-context/sql.ts'
import { availableSql } from '#shared/inventory/stock-level.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { AttributeValue } from '../product-attribute.ts'
import { findSearch, type Search } from './search.ts'

/** The filters of a product list. Prices are the current price of one unit, in minor units. */
export interface ProductFilter {
  /** Search words in web search syntax. */
  q?: string
  /** Slug of a category; products of its descendants match too. */
  category?: string
  manufacturerIds?: string[]
  ids?: string[]
  /** SKUs of products or variants. */
  skus?: string[]
  tag?: string
  priceMinMinor?: bigint
  priceMaxMinor?: bigint
  inStock?: boolean
  /** For each attribute, the product has one of the given values. */
  attributes?: AttributeValue[]
}

/** A filter whose words have been looked up. */
export interface ResolvedFilter extends ProductFilter {
  /** The matches of `q`. */
  search?: Search
}

/** Looks up the words of a filter. */
export async function resolveFilter(
  context: StorefrontContext,
  filter: ProductFilter,
): Promise<ResolvedFilter> {
  return filter.q === undefined ? filter : { ...filter, search: await findSearch(context, filter.q) }
}

/** A filter in SQL: the `with` before the select, the condition on product `p`, and the values of the placeholders. */
export interface FilterSql {
  /** Identifies the text. There are few shapes, so few statements are prepared. */
  shape: string
  withs: string
  condition: string
  values: (string | null)[]
  /** Identifies the filter in a catalog version. */
  key: (string | null)[]
}

/** Gives the next placeholder. */
type Place = () => string

interface Part {
  shape: string
  cte?: string
  condition: string
  values: (string | null)[]
  /** The values' part of the key of the filter. */
  key?: string[]
}

/** Builds the SQL of a filter, with placeholders from the number `first` on. */
export function filterSql(context: StorefrontContext, filter: ResolvedFilter, first: number): FilterSql {
  let next = first
  const place: Place = () => `$${next++}`
  const parts = [
    searchPart(context, filter, place),
    categoryPart(filter, place),
    attributesPart(filter, place),
    idsPart(filter, place),
    skusPart(filter, place),
    unindexedPart(filter, place),
  ].filter((part) => part !== null)
  const ctes = parts.flatMap(({ cte }) => cte ?? [])
  return {
    shape: parts.map(({ shape }) => shape).join('+'),
    withs: ctes.length ? `with recursive ${ctes.join(', ')}` : '',
    condition: [
      `p.store_id = ${CURRENT_STORE}`,
      publishedSql('p'),
      ...parts.map(({ condition }) => condition),
    ].join(' and '),
    values: parts.flatMap(({ values }) => values),
    key: parts.flatMap(({ key, values }) => key ?? values),
  }
}

/** SQL: whether a variant of product `p` has the searched words as its SKU. */
export const HAS_SEARCHED_SKU = `p.id in (
  select sold.product_id from product_variants sold
  where sold.store_id = ${CURRENT_STORE} and sold.sku = (select words from search) and sold.deleted_at is null)`

function searchPart(
  { store, language }: StorefrontContext,
  { q, search }: ResolvedFilter,
  place: Place,
): Part | null {
  if (q === undefined || search === undefined) return null
  const [query, words] = [place(), place()]
  const part = {
    cte: `search as materialized (select ${query}::text::tsquery as query, ${words}::text as words)`,
    key: [q, language, store.defaultLanguage],
  }
  if (search.ids !== null)
    return {
      ...part,
      shape: 'q',
      condition: `p.id = any(${place()}::uuid[])`,
      values: [search.query, q, search.ids],
    }
  return {
    ...part,
    shape: 'common-q',
    condition: `(p.search @@ (select query from search) or ${HAS_SEARCHED_SKU})`,
    values: [search.query, q],
  }
}

function categoryPart({ category }: ProductFilter, place: Place): Part | null {
  if (category === undefined) return null
  return {
    shape: 'category',
    cte: `wanted_categories as (
      select c.id from categories c where c.store_id = ${CURRENT_STORE} and c.slug = ${place()}::text and c.is_active
      union
      select c.id from categories c join wanted_categories w on c.parent_id = w.id where c.store_id = ${CURRENT_STORE} and c.is_active)`,
    condition: `exists (select from product_categories pc where pc.store_id = p.store_id and pc.product_id = p.id
      and pc.category_id = any(array(select id from wanted_categories)))`,
    values: [category],
  }
}

function attributesPart({ attributes }: ProductFilter, place: Place): Part | null {
  if (attributes === undefined) return null
  const [ids, values, distinct] = [place(), place(), place()]
  const attributeIds = attributes.map(({ attributeId }) => attributeId.toLowerCase())
  return {
    shape: 'attributes',
    condition: `p.id in (
      select pa.product_id from product_attributes pa
      join unnest(${ids}::uuid[], array(select json_array_elements_text(${values}::json))) wanted (attribute_id, value)
        on wanted.attribute_id = pa.attribute_id and wanted.value = pa.value
      where pa.store_id = ${CURRENT_STORE} group by pa.product_id
      having count(distinct pa.attribute_id) = ${distinct}::bigint)`,
    values: [
      `{${attributeIds.join()}}`,
      JSON.stringify(attributes.map(({ value }) => value)),
      `${new Set(attributeIds).size}`,
    ],
  }
}

function idsPart({ ids }: ProductFilter, place: Place): Part | null {
  if (ids === undefined) return null
  return { shape: 'ids', condition: `p.id = any(${place()}::uuid[])`, values: [`{${ids.join()}}`] }
}

function skusPart({ skus }: ProductFilter, place: Place): Part | null {
  if (skus === undefined) return null
  return {
    shape: 'skus',
    cte: `wanted_skus as materialized (select array(select json_array_elements_text(${place()}::json)) as skus)`,
    condition: `p.id in (
      select named.id from products named
      where named.store_id = ${CURRENT_STORE} and named.sku = any((select skus from wanted_skus)::text[])
        and named.deleted_at is null
      union all
      select sold.product_id from product_variants sold
      where sold.store_id = ${CURRENT_STORE} and sold.sku = any((select skus from wanted_skus)::text[])
        and sold.deleted_at is null)`,
    values: [JSON.stringify(skus)],
  }
}

const UNINDEXED_FILTERS = ['manufacturerIds', 'tag', 'priceMinMinor', 'priceMaxMinor', 'inStock'] as const

/** The filters without an index are one part of the text, whichever of them are given, so that there are few shapes. */
function unindexedPart(filter: ProductFilter, place: Place): Part | null {
  if (UNINDEXED_FILTERS.every((name) => filter[name] === undefined)) return null
  const [manufacturer, tag, min, max, inStock] = [place(), place(), place(), place(), place()]
  return {
    shape: 'narrow',
    condition: `(${manufacturer}::text is null or p.manufacturer_id = any(string_to_array(${manufacturer}::text, ',')::uuid[]))
      and (${tag}::text is null or ${tag}::text = any(p.tags))
      and (${min}::bigint is null or p.current_price_minor >= ${min}::bigint)
      and (${max}::bigint is null or p.current_price_minor <= ${max}::bigint)
      and (${inStock}::boolean is null or ${inStock}::boolean = coalesce((
        select true from product_variants v where v.store_id = p.store_id and v.product_id = p.id and ${publishedSql('v')}
          and (v.backorder or ${availableSql('v')} > 0) limit 1), false))`,
    values: UNINDEXED_FILTERS.map((name) => filter[name]?.toString() ?? null),
  }
}
