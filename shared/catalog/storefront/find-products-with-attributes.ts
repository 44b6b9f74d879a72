import type { AttributeValue } from '#shared/catalog/product-attribute.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { findIdsOnce, MAX_BY_ID } from './find-ids-once.ts'

/** SQL of the different pairs of an attribute's id and a value. The parameters are placeholders of their lists. */
const wantedSql = (ids: string, values: string) => `(
  select distinct attribute_id, value
  from unnest(${ids}::uuid[], array(select json_array_elements_text(${values}::json))) pair (attribute_id, value)) wanted`

const OF_STORE = `product_attributes pa where pa.store_id = ${CURRENT_STORE}`

/** SQL of the ids of the products with one of the wanted values of each wanted attribute. */
export const productsWithAttributesSql = (ids: string, values: string, count: string) => `
  select pa.product_id from ${wantedSql(ids, values)} cross join ${OF_STORE}
    and pa.attribute_id = wanted.attribute_id and pa.value = wanted.value
  group by pa.product_id having count(*) = ${count}::bigint`

/** Returns the ids and the values in the same sequence, and the number of different attributes. */
export function attributeValues(
  attributes: readonly AttributeValue[],
): [ids: string, values: string, attributeCount: string] {
  const ids = attributes.map(({ attributeId }) => attributeId.toLowerCase())
  const values = attributes.map(({ value }) => value)
  return [`{${ids.join()}}`, JSON.stringify(values), `${new Set(ids).size}`]
}

const findIds = findIdsOnce({
  name: 'find_products_with_attributes',
  text: `
  with found as materialized (
    select pa.product_id from ${wantedSql('$1', '$2')} cross join lateral (
      select pa.product_id from ${OF_STORE} and pa.attribute_id = wanted.attribute_id and pa.value = wanted.value
      limit ${MAX_BY_ID + 1}) pa
    limit ${MAX_BY_ID + 1})
  select case when (select count(*) from found) <= ${MAX_BY_ID}
    then array(select product_id from found group by product_id having count(*) = $3::bigint)::text end`,
})

/** Returns the ids (`uuid[]`) of the products with one of the values of each attribute; null if there are many. */
export const findProductsWithAttributes = (
  context: StorefrontContext,
  attributes: readonly AttributeValue[],
): Promise<string | null> => findIds(context, attributeValues(attributes))
