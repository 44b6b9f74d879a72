import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import { pickText } from '#shared/platform/text.ts'
import type { AttributeAssignment } from './product-attribute.ts'

/** A value of an attribute, with names in the caller's language (interface document, section 2). */
export const ProductAttributeView = Shape({
  id: Type.String(),
  attribute_id: Type.String(),
  attribute_name: Type.String(),
  group_id: Type.String(),
  group_name: Type.String(),
  value: Type.String(),
})

/** A value of an attribute, its names in the asked language, else in the store's. */
export const viewProductAttribute = (
  { id, attributeId, attributeNameI18n, groupId, groupNameI18n, value }: AttributeAssignment,
  language: string,
  fallback: string,
): Static<typeof ProductAttributeView> => ({
  id,
  attribute_id: attributeId,
  attribute_name: pickText(attributeNameI18n, language, fallback),
  group_id: groupId,
  group_name: pickText(groupNameI18n, language, fallback),
  value,
})
