import { Type } from 'typebox'
import { I18nLine, I18nText, Line, Nullable, Shape, Slug, Uuid } from '#shared/platform/http/schema.ts'

const Position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Sort order; terms with an equal position are sorted by name',
})
const name_i18n = I18nLine(300)
const position = Type.Optional(Position)

export const CreateNamedTermRequest = Shape({ name_i18n, position })
export const UpdateNamedTermRequest = Shape({ name_i18n: Type.Optional(name_i18n), position })

export const CreateAttributeRequest = Shape({ group_id: Uuid, name_i18n, position })
export const UpdateAttributeRequest = Shape({
  group_id: Type.Optional(Uuid),
  name_i18n: Type.Optional(name_i18n),
  position,
})

export const CreateManufacturerRequest = Shape({ name: Line(255) })
export const UpdateManufacturerRequest = Shape({ name: Type.Optional(Line(255)) })

const categoryFields = {
  parent_id: Type.Optional({ ...Nullable(Uuid), description: 'Null: a root' }),
  slug: Type.Optional(Slug),
  description_i18n: Type.Optional(I18nText(50_000)),
  position,
  is_active: Type.Optional(Type.Boolean()),
}
export const CreateCategoryRequest = Shape({ name_i18n, ...categoryFields })
export const UpdateCategoryRequest = Shape({ name_i18n: Type.Optional(name_i18n), ...categoryFields })
