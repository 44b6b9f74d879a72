import { type TSchema, Type } from 'typebox'
import { Shape, UUID_PATTERN } from './schema.ts'

/** A UUID or null in a query. An empty value and the word `null` mean null. */
export const UuidOrNullText = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    title: 'UUID',
    pattern: `^$|^null$|${UUID_PATTERN}`,
    description,
  })

/** A query parameter with several values between commas, or repeated. */
export const CommaSeparated = <S extends TSchema>(item: S, maxItems: number, description?: string) =>
  Type.Optional(
    Type.Array(item, {
      minItems: 1,
      maxItems,
      description: [description, `One or more, between commas; at most ${maxItems}`]
        .filter(Boolean)
        .join('. '),
    }),
  )

/** Query parameters of a paginated list. */
export const PageQuery = {
  page: Type.Integer({ minimum: 1, maximum: 100_000, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
}

/** Query parameters that filter a list by creation time. */
export const CreatedQuery = {
  created_from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Created at this time or later' }),
  ),
  created_to: Type.Optional(Type.String({ format: 'date-time', description: 'Created before this time' })),
}

/** Query parameters of the days that figures are about, both inclusive. */
export const DateRangeQuery = (descriptions: { from: string; to: string }) => ({
  date_from: Type.Optional(Type.String({ format: 'date', description: descriptions.from })),
  date_to: Type.Optional(Type.String({ format: 'date', description: descriptions.to })),
})

/** Query parameters of a list that other systems synchronize. They ask for changes since their last request. */
export const UpdatedQuery = {
  updated_from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Something of the item changed at this time or later' }),
  ),
  updated_to: Type.Optional(
    Type.String({ format: 'date-time', description: 'Nothing of the item changed at this time or later' }),
  ),
}

/** Query of a list without filters. */
export const PlainPageQuery = Shape(PageQuery)
