import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'

/** An object with these properties and no others. */
export const Shape = <P extends TProperties>(properties: P, options: object = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options })

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

export const Uuid = Type.String({ title: 'UUID', pattern: UUID })

/** A UUID or null as a query can say it: an empty value and the word null are null. */
export const UuidOrNullText = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    title: 'UUID',
    pattern: `^$|^null$|${UUID}`,
    description,
  })

/** ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' })

// The largest amount whose minor units a JSON number still holds exactly.
const MAX_AMOUNT = 999_999_999_999

/** What a column of type integer holds at most. */
export const MAX_INT4 = 2_147_483_647

/** An amount in major units, at most as fine as its currency; minor units in the database. */
export const Money = Type.Number({
  minimum: 0,
  maximum: MAX_AMOUNT,
  description: 'Major units',
})

const I18n = <T extends TSchema>(text: T, minProperties: number) =>
  Type.Record(Type.String({ pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$' }), text, {
    additionalProperties: false,
    minProperties,
    maxProperties: 30,
    description: 'Texts by BCP 47 language tag',
  })

/** Texts by BCP 47 language tag. */
export const I18nText = (maxLength: number) => I18n(Type.String({ maxLength }), 0)

/** Short texts by BCP 47 language tag: at least one, none empty. */
export const I18nLine = (maxLength = 255) => I18n(Line(maxLength), 1)

/** One short line of text, not empty. */
export const Line = (maxLength = 255) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

/** Characters that no name holds: controls, line ends among them, and marks that turn a text's direction. */
export const CONTROL_CHARACTERS = '\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069'

/** The name of somebody or something, on one line: it stands in mails, where more would be a stranger's own words. */
export const Name = (maxLength = 100) =>
  Type.String({ minLength: 1, maxLength, pattern: `^(?=.*\\S)[^${CONTROL_CHARACTERS}]+$` })

/** An e-mail address, international ones too; nothing in it could end a header or a display name. */
export const Email = Type.String({
  maxLength: 254,
  pattern:
    '^[^\\s\\p{C}@<>()\\[\\],;:"\\\\]{1,64}@[^\\s\\p{C}@<>()\\[\\],;:"\\\\]+\\.[^\\s\\p{C}@<>()\\[\\],;:"\\\\.]{2,}$',
  example: 'ada@example.com',
})

export const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 200,
})

interface Described {
  type?: string
  enum?: unknown[]
}

/** The schema or null. A plain type becomes a list of types, so that a fault names one thing, not two branches. */
export function Nullable<S extends TSchema>(schema: S) {
  const { type, enum: allowed, ...rest } = schema as Described
  if (!type || (allowed && !type)) return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(allowed ? { enum: [...allowed, null] } : {}),
  })
}

/** Query of a list: page from 1, size 20 unless told, at most 100 (decisions, section 1). */
export const PageQuery = {
  page: Type.Integer({ minimum: 1, maximum: 100_000, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
}

/** Query of a list that is narrowed by when its items were made. */
export const CreatedQuery = {
  created_from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Made at that moment or later' }),
  ),
  created_to: Type.Optional(Type.String({ format: 'date-time', description: 'Made before that moment' })),
}

/** Query of a list that takes nothing but its page. */
export const PlainPageQuery = Shape(PageQuery)

/** PostgreSQL's timestamp as a response shows it. */
export const toTimestamp = (date: Date): string => date.toISOString()
export const toTimestampOrNull = (date: Date | null): string | null => date?.toISOString() ?? null
