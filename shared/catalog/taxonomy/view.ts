import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { I18nText, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { Attribute } from './attribute.ts'
import type { Category } from './category.ts'
import type { Manufacturer } from './manufacturer.ts'
import type { NamedTerm } from './named-term.ts'
import type { Term } from './taxonomy.ts'

const dated = { created_at: Timestamp, updated_at: Timestamp }
const named = { id: Uuid, name_i18n: I18nText(300), position: Type.Integer(), ...dated }

export const NamedTermView = Shape(named)
export const AttributeView = Shape({ group_id: Uuid, ...named })
export const ManufacturerView = Shape({ id: Uuid, name: Type.String(), ...dated })
export const CategoryView = Shape({
  parent_id: Nullable(Uuid),
  slug: Type.String(),
  description_i18n: I18nText(50_000),
  is_active: Type.Boolean(),
  ...named,
})

const viewDates = ({ createdAt, updatedAt }: Term) => ({
  created_at: toTimestamp(createdAt),
  updated_at: toTimestamp(updatedAt),
})

/** Returns an attribute group or a stock status. */
export const viewNamedTerm = (term: NamedTerm): Static<typeof NamedTermView> => ({
  id: term.id,
  name_i18n: term.nameI18n,
  position: term.position,
  ...viewDates(term),
})

export const viewAttribute = (attribute: Attribute): Static<typeof AttributeView> => ({
  group_id: attribute.groupId,
  ...viewNamedTerm(attribute),
})

export const viewManufacturer = (manufacturer: Manufacturer): Static<typeof ManufacturerView> => ({
  id: manufacturer.id,
  name: manufacturer.name,
  ...viewDates(manufacturer),
})

/** Returns a category as staff see it; storefronts see `CategoryTree`. */
export const viewCategory = (category: Category): Static<typeof CategoryView> => ({
  id: category.id,
  parent_id: category.parentId,
  slug: category.slug,
  name_i18n: category.nameI18n,
  description_i18n: category.descriptionI18n,
  position: category.position,
  is_active: category.isActive,
  ...viewDates(category),
})
