import { type Static, Type } from 'typebox'
import { textSql } from '#shared/catalog/storefront-context/sql.ts'
import { jsonFields, jsonSql, schemaOf } from '#shared/platform/db/json-fields.ts'
import { pickText } from '#shared/platform/text.ts'
import { ATTRIBUTE_ORDER, type AttributeAssignment } from './product-attribute.ts'

/** Value `pa` of attribute `a` in group `g`. */
const fields = jsonFields({
  id: [Type.String(), 'pa.id'],
  attribute_id: [Type.String(), 'a.id'],
  attribute_name: [Type.String(), textSql('a.name_i18n')],
  group_id: [Type.String(), 'g.id'],
  group_name: [Type.String(), textSql('g.name_i18n')],
  value: [Type.String(), 'pa.value'],
})

/** A product's value of an attribute, with names in the language of the request. */
export const ProductAttributeAssignmentView = schemaOf(fields)

/** SQL of the attributes of product `p` as JSON. */
export const ATTRIBUTES = `(
  select coalesce(json_agg(${jsonSql(fields)} order by ${ATTRIBUTE_ORDER}), '[]')
  from product_attributes pa
  join attributes a on a.store_id = pa.store_id and a.id = pa.attribute_id
  join attribute_groups g on g.store_id = a.store_id and g.id = a.group_id
  where pa.store_id = p.store_id and pa.product_id = p.id)`

export const viewProductAttribute = (
  { id, attributeId, attributeNameI18n, groupId, groupNameI18n, value }: AttributeAssignment,
  language: string,
  fallback: string,
): Static<typeof ProductAttributeAssignmentView> => ({
  id,
  attribute_id: attributeId,
  attribute_name: pickText(attributeNameI18n, language, fallback),
  group_id: groupId,
  group_name: pickText(groupNameI18n, language, fallback),
  value,
})
