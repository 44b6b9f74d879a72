import { availableSql } from '#shared/inventory/stock-level.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { AttributeValue } from '../product-attribute.ts'
import { searchConfiguration } from '../search-text.ts'
import type { StorefrontContext } from './context.ts'
import { publishedSql } from './sql.ts'

/** What a visitor asks the list for. Prices in minor units: what one unit costs now. */
export interface ProductFilter {
  /** Words, as a search engine takes them. */
  q?: string
  /** Slug of a category; its descendants count too. */
  category?: string
  manufacturerId?: string
  tag?: string
  priceMinMinor?: bigint
  priceMaxMinor?: bigint
  inStock?: boolean
  /** One of an attribute's values that are named, for each attribute that is. */
  attributes?: AttributeValue[]
}

/** A filter in SQL: the `with` before the select, its condition on product `p`, and the values in their order. */
export interface FilterSql {
  /** Names the text: equal shapes have equal texts, and there are few, so that few statements are prepared. */
  shape: string
  withs: string
  condition: string
  values: (string | null)[]
}

/** The next value's place in a statement. */
type Place = () => string

interface Part {
  shape: string
  cte?: string
  condition: string
  values: (string | null)[]
}

/** Says a filter in SQL. Its values stand in the statement from the place `first` on. */
export function filterSql(reader: StorefrontContext, filter: ProductFilter, first: number): FilterSql {
  let next = first
  const place: Place = () => `$${next++}`
  const parts = [
    searchPart(reader, filter, place),
    categoryPart(filter, place),
    attributesPart(filter, place),
    narrowPart(filter, place),
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
  }
}

// "jaket" finds "jacket" (0.44), "carton" does not find "cotton" (0.29).
const CLOSE_ENOUGH = 0.4

function searchPart({ store, language }: StorefrontContext, { q }: ProductFilter, place: Place): Part | null {
  if (q === undefined) return null
  const [words, spoken, fallback] = [place(), place(), place()]
  const asWords = (configuration: string) =>
    `websearch_to_tsquery(${configuration}::text::regconfig, unaccent(${words}::text))`
  return {
    shape: 'q',
    // Asked once, not once a product; and only words that are found nowhere are taken for misspelt ones.
    cte: `asked as materialized (
      select ${asWords(spoken)} || ${asWords(fallback)} as query, lower(unaccent(${words}::text)) as name),
    known as materialized (
      select exists (select from products p where p.store_id = ${CURRENT_STORE} and ${publishedSql('p')}
                     and p.search @@ (select query from asked)) as words)`,
    condition: `(p.search @@ (select query from asked)
      or p.id in (select sold.product_id from product_variants sold
                  where sold.store_id = ${CURRENT_STORE} and sold.sku = ${words}::text and sold.deleted_at is null)
      or (not (select words from known)
          and word_similarity((select name from asked), p.search_name) >= ${CLOSE_ENOUGH}))`,
    values: [q, searchConfiguration(language), searchConfiguration(store.defaultLanguage)],
  }
}

function categoryPart({ category }: ProductFilter, place: Place): Part | null {
  if (category === undefined) return null
  return {
    shape: 'category',
    cte: `shelves as (
      select c.id from categories c where c.store_id = ${CURRENT_STORE} and c.slug = ${place()}::text and c.is_active
      union
      select c.id from categories c join shelves s on c.parent_id = s.id where c.store_id = ${CURRENT_STORE} and c.is_active)`,
    condition: `exists (select from product_categories pc where pc.store_id = p.store_id and pc.product_id = p.id
      and pc.category_id = any(array(select id from shelves)))`,
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
      join unnest(${ids}::uuid[], array(select json_array_elements_text(${values}::json))) asked (attribute_id, value)
        on asked.attribute_id = pa.attribute_id and asked.value = pa.value
      where pa.store_id = ${CURRENT_STORE} group by pa.product_id
      having count(distinct pa.attribute_id) = ${distinct}::bigint)`,
    values: [
      `{${attributeIds.join()}}`,
      JSON.stringify(attributes.map(({ value }) => value)),
      `${new Set(attributeIds).size}`,
    ],
  }
}

const NARROWING = ['manufacturerId', 'tag', 'priceMinMinor', 'priceMaxMinor', 'inStock'] as const

/** The filters that no index leads to stand in one text, whichever of them are given. */
function narrowPart(filter: ProductFilter, place: Place): Part | null {
  if (NARROWING.every((name) => filter[name] === undefined)) return null
  const [manufacturer, tag, min, max, inStock] = [place(), place(), place(), place(), place()]
  return {
    shape: 'narrow',
    condition: `(${manufacturer}::uuid is null or p.manufacturer_id = ${manufacturer}::uuid)
      and (${tag}::text is null or ${tag}::text = any(p.tags))
      and (${min}::bigint is null or p.current_price_minor >= ${min}::bigint)
      and (${max}::bigint is null or p.current_price_minor <= ${max}::bigint)
      and (${inStock}::boolean is null or ${inStock}::boolean = coalesce((
        select true from product_variants v where v.store_id = p.store_id and v.product_id = p.id and ${publishedSql('v')}
          and (v.backorder or ${availableSql('v')} > 0) limit 1), false))`,
    values: NARROWING.map((name) => filter[name]?.toString() ?? null),
  }
}
