import { type Static, Type } from 'typebox'
import { ATTRIBUTE_ORDER } from '#shared/catalog/product-attribute.ts'
import { contextValues, type StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { majorSql, textOrEmptySql, textSql } from '#shared/catalog/storefront-context/sql.ts'
import { bytesOfText, versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { jsonFields, jsonSql, schemaOf } from '#shared/platform/db/json-fields.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, plannedEachTime, type Statement } from '#shared/platform/db/statement.ts'
import { Money, Nullable, Uuid } from '#shared/platform/http/schema.ts'
import { type FilterSql, filterSql } from './filter-sql.ts'
import { type ProductFilter, resolveFilter } from './resolve-filter.ts'
import { withFacetPermit } from './scan-permits.ts'

const Count = Type.Integer({ description: 'The number of products in the list that have it' })

const categoryFields = jsonFields({
  id: [Uuid, 'c.id'],
  slug: [Type.String(), 'c.slug'],
  name: [Type.String(), textOrEmptySql('c.name_i18n')],
  count: [Count, 'c.count'],
})

const manufacturerFields = jsonFields({
  id: [Uuid, 'm.id'],
  name: [Type.String(), 'm.name'],
  count: [Count, 'm.count'],
})

const valueFields = jsonFields({ value: [Type.String(), 'value'], count: [Count, 'count'] })

const attributeFields = jsonFields({
  attribute_id: [Uuid, 'a.id'],
  attribute_name: [Type.String(), textSql('a.name_i18n')],
  group_name: [Type.String(), textSql('g.name_i18n')],
  values: [Type.Array(schemaOf(valueFields)), 'v.choices'],
})

const priceFields = jsonFields({
  min: [Nullable(Money), majorSql('min(current_price_minor)')],
  max: [Nullable(Money), majorSql('max(current_price_minor)')],
})

/** At most this many categories, manufacturers and values of an attribute are listed, the most frequent first. */
const MAX_CHOICES = 50

const facetFields = jsonFields({
  categories: [
    Type.Array(schemaOf(categoryFields), { description: 'Products of subcategories are counted too' }),
    `(
      select coalesce(json_agg(${jsonSql(categoryFields)} order by c.count desc, c.slug), '[]')
      from (
        select category.id, category.slug, category.name_i18n, count(distinct f.id) as count
        from found f
        join product_categories pc on pc.store_id = ${CURRENT_STORE} and pc.product_id = f.id
        join paths on paths.category_id = pc.category_id
        join categories category on category.store_id = ${CURRENT_STORE} and category.id = paths.id
        group by category.id, category.slug, category.name_i18n order by count desc, category.slug limit ${MAX_CHOICES}) c)`,
  ],
  manufacturers: [
    Type.Array(schemaOf(manufacturerFields)),
    `(
      select coalesce(json_agg(${jsonSql(manufacturerFields)} order by m.count desc, m.name), '[]')
      from (
        select maker.id, maker.name, count(*) as count
        from found f join manufacturers maker on maker.store_id = ${CURRENT_STORE} and maker.id = f.manufacturer_id
        group by maker.id, maker.name order by count desc, maker.name limit ${MAX_CHOICES}) m)`,
  ],
  attributes: [
    Type.Array(schemaOf(attributeFields)),
    `(
      select coalesce(json_agg(${jsonSql(attributeFields)} order by ${ATTRIBUTE_ORDER}), '[]')
      from (
        select attribute_id, json_agg(${jsonSql(valueFields)} order by rank) as choices
        from valued where rank <= ${MAX_CHOICES} group by attribute_id) v
      join attributes a on a.store_id = ${CURRENT_STORE} and a.id = v.attribute_id
      join attribute_groups g on g.store_id = a.store_id and g.id = a.group_id)`,
  ],
  price: [schemaOf(priceFields), `(select ${jsonSql(priceFields)} from found)`],
})

/** The values by which a product list can be narrowed, with the number of products of each. */
export const ProductFacets = schemaOf(facetFields)

/** The statement uses the first three values of the context: the languages and the unit of money. */
const CONTEXT_VALUES = 3

const facetsText = ({ withs, condition }: FilterSql) => `
  ${withs ? `${withs},` : 'with recursive'} found as materialized (
    select p.id, p.manufacturer_id, p.current_price_minor from products p where ${condition}),
  climbed as (
    select c.id as category_id, c.id, c.parent_id from categories c
    where c.store_id = ${CURRENT_STORE} and c.is_active
    union
    select below.category_id, c.id, c.parent_id from climbed below
    join categories c on c.store_id = ${CURRENT_STORE} and c.id = below.parent_id and c.is_active),
  -- Leaves out categories below an unpublished one: their path does not reach a root.
  paths as (
    select category_id, id from (
      select category_id, id, bool_or(parent_id is null) over (partition by category_id) as reaches_root from climbed
    ) path where reaches_root),
  valued as (
    select pa.attribute_id, pa.value, count(*) as count,
      row_number() over (partition by pa.attribute_id order by count(*) desc, pa.value) as rank
    from found f join product_attributes pa on pa.store_id = ${CURRENT_STORE} and pa.product_id = f.id
    group by pa.attribute_id, pa.value)
  select ${jsonSql(facetFields)}`

const statements = new Map<string, Statement>()

function statementOf(sql: FilterSql): Statement {
  const name = `read_facets ${sql.shape}`
  const statement = statements.get(name) ?? plannedEachTime({ name, text: facetsText(sql) })
  statements.set(name, statement)
  return statement
}

// Cache text, which takes much less memory than objects.
const cacheFacets = versionedCache<string>(100, bytesOfText)

/**
 * Returns the facets of all products that pass a filter, whatever the page. They are computed once for each catalog
 * version. Throws 429 `rate_limit.exceeded` while many others of the store are computed.
 */
export async function readFacets(
  context: StorefrontContext,
  filter: ProductFilter,
): Promise<Static<typeof ProductFacets>> {
  const sql = filterSql(context, await resolveFilter(context, filter), CONTEXT_VALUES + 1)
  const languagesAndUnit = contextValues(context).slice(0, CONTEXT_VALUES)
  const json = await cacheFacets(context, [sql.shape, languagesAndUnit, sql.key], async () => {
    const values = [...languagesAndUnit, ...sql.values]
    const [row] = await withFacetPermit(context.store.id, (timeoutMs) =>
      readInStore(context.store.id, statementOf(sql), values, timeoutMs),
    )
    return row?.[0] ?? '{}'
  })
  return JSON.parse(json)
}
