import { type Static, Type } from 'typebox'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { Money, Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { ATTRIBUTE_ORDER } from '../product-attribute.ts'
import { contextValues, type StorefrontContext } from './context.ts'
import { type FilterSql, filterSql, type ProductFilter } from './product-filter.ts'
import { majorSql, textSql } from './sql.ts'
import { versionedCache } from './versioned-cache.ts'

const Count = Type.Integer({ description: 'Products of the list that have it' })

/** What the products of a list can be narrowed by, with how many each choice would leave. */
export const ProductFacets = Shape({
  categories: Type.Array(Shape({ id: Uuid, slug: Type.String(), name: Type.String(), count: Count }), {
    description: 'What stands below a category counts in',
  }),
  manufacturers: Type.Array(Shape({ id: Uuid, name: Type.String(), count: Count })),
  attributes: Type.Array(
    Shape({
      attribute_id: Uuid,
      attribute_name: Type.String(),
      group_name: Type.String(),
      values: Type.Array(Shape({ value: Type.String(), count: Count })),
    }),
  ),
  price: Shape({ min: Nullable(Money), max: Nullable(Money) }),
})

/** A storefront's first three values: languages and unit. The filter's stand after them. */
const OWN_VALUES = 3
/** Of the categories and manufacturers, and of an attribute's values, those that most products have. */
const MOST_CHOICES = 50

const facetsText = ({ withs, condition }: FilterSql) => `
  ${withs ? `${withs},` : 'with recursive'} found as materialized (
    select p.id, p.manufacturer_id, p.current_price_minor from products p where ${condition}),
  paths as (
    select c.id as shelf, c.id, c.parent_id from categories c where c.store_id = ${CURRENT_STORE} and c.is_active
    union
    select below.shelf, c.id, c.parent_id from paths below
    join categories c on c.store_id = ${CURRENT_STORE} and c.id = below.parent_id and c.is_active),
  valued as (
    select pa.attribute_id, pa.value, count(*) as count,
      row_number() over (partition by pa.attribute_id order by count(*) desc, pa.value) as place
    from found f join product_attributes pa on pa.store_id = ${CURRENT_STORE} and pa.product_id = f.id
    group by pa.attribute_id, pa.value)
  select json_build_object(
    'categories', (
      select coalesce(json_agg(json_build_object('id', c.id, 'slug', c.slug,
        'name', coalesce(${textSql('c.name_i18n')}, ''), 'count', c.count) order by c.count desc, c.slug), '[]')
      from (
        select shelf.id, shelf.slug, shelf.name_i18n, count(distinct f.id) as count
        from found f
        join product_categories pc on pc.store_id = ${CURRENT_STORE} and pc.product_id = f.id
        join paths on paths.shelf = pc.category_id
        join categories shelf on shelf.store_id = ${CURRENT_STORE} and shelf.id = paths.id
        group by shelf.id, shelf.slug, shelf.name_i18n order by 4 desc, shelf.slug limit ${MOST_CHOICES}) c),
    'manufacturers', (
      select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'count', m.count)
        order by m.count desc, m.name), '[]')
      from (
        select maker.id, maker.name, count(*) as count
        from found f join manufacturers maker on maker.store_id = ${CURRENT_STORE} and maker.id = f.manufacturer_id
        group by maker.id, maker.name order by count(*) desc, maker.name limit ${MOST_CHOICES}) m),
    'attributes', (
      select coalesce(json_agg(json_build_object('attribute_id', a.id, 'attribute_name', ${textSql('a.name_i18n')},
        'group_name', ${textSql('g.name_i18n')}, 'values', v.choices) order by ${ATTRIBUTE_ORDER}), '[]')
      from (
        select attribute_id, json_agg(json_build_object('value', value, 'count', count) order by place) as choices
        from valued where place <= ${MOST_CHOICES} group by attribute_id) v
      join attributes a on a.store_id = ${CURRENT_STORE} and a.id = v.attribute_id
      join attribute_groups g on g.store_id = a.store_id and g.id = a.group_id),
    'price', (
      select json_build_object('min', ${majorSql('min(current_price_minor)')},
        'max', ${majorSql('max(current_price_minor)')}) from found))`

const statements = new Map<string, Statement>()

function statementOf(sql: FilterSql): Statement {
  const name = `read_facets ${sql.shape}`
  const statement = statements.get(name) ?? { name, text: facetsText(sql) }
  statements.set(name, statement)
  return statement
}

const keep = versionedCache<Static<typeof ProductFacets>>(100)

/** The facets of all the products that pass a filter, whatever page of them is shown; made once a catalog version. */
export function readFacets(
  reader: StorefrontContext,
  filter: ProductFilter,
): Promise<Static<typeof ProductFacets>> {
  const sql = filterSql(reader, filter, OWN_VALUES + 1)
  const values = [...contextValues(reader).slice(0, OWN_VALUES), ...sql.values]
  return keep(reader, [sql.shape, values], async () => {
    const [row] = await readInStore(reader.store.id, statementOf(sql), values)
    return JSON.parse(row?.[0] ?? '{}')
  })
}
