import { type Static, type TAddOptional, type TObject, type TProperties, type TSchema, Type } from 'typebox'

/** An object schema without additional properties. */
export const Shape = <P extends TProperties>(properties: P, options: object = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** The body of an update: an object schema of the same properties, each of them optional, and at least one present. */
export const Changes = <P extends TProperties>(properties: P) =>
  Shape(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])) as {
      [K in keyof P]: TAddOptional<P[K]>
    },
    { minProperties: 1 },
  )

/** The pattern of a UUID. */
export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

export const Uuid = Type.String({ title: 'UUID', pattern: UUID_PATTERN })

/** A response that is a CSV file. */
export const CsvText = Type.String({ contentMediaType: 'text/csv' })

/** ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' })

// The largest amount whose minor units are exact in a JSON number.
const MAX_AMOUNT = 999_999_999_999

/** The largest value of a column of type integer. */
export const MAX_INT4 = 2_147_483_647

/** The position of an item in a list that staff arrange. */
export const Position = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  description: 'Lists are sorted by it, ascending',
})

/** The currency of amounts. */
export const CurrencyCode = Type.String({ description: 'ISO 4217' })

/** An amount in major units. The currency limits its decimals; the database stores minor units. */
export const Money = Type.Number({
  minimum: 0,
  maximum: MAX_AMOUNT,
  description: 'Major units',
})

/** An amount above 0 in major units. */
export const PositiveAmount = (description?: string, maximum = MAX_AMOUNT) =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum,
    description: ['Major units', description].filter(Boolean).join('. '),
  })

/** A difference of amounts in major units, which may be negative. */
export const MoneyDifference = Type.Number({
  minimum: -MAX_AMOUNT,
  maximum: MAX_AMOUNT,
  description: 'Major units; may be negative',
})

/** The pattern of a BCP 47 language tag. */
export const LANGUAGE_TAG = '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8}){0,5}$'
export const Language = Type.String({ pattern: LANGUAGE_TAG, maxLength: 35, description: 'BCP 47' })

/** The most languages of a text. */
export const MAX_LANGUAGES = 30

const I18n = <T extends TSchema>(text: T, minProperties: number) =>
  Type.Record(Type.String({ pattern: LANGUAGE_TAG }), text, {
    additionalProperties: false,
    minProperties,
    maxProperties: MAX_LANGUAGES,
    description: 'Texts by BCP 47 language tag',
  })

/** Texts by BCP 47 language tag. */
export const I18nText = (maxLength: number) => I18n(Type.String({ maxLength }), 0)

/** Short texts by BCP 47 language tag: at least one; none is empty. */
export const I18nLine = (maxLength = 255) => I18n(Line(maxLength), 1)

/** A short text, not blank. */
export const Line = (maxLength = 255) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

/** Characters that a name must not contain: controls, line breaks and direction marks. */
export const CONTROL_CHARACTERS = '\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069'

/** A name on one line. Mails contain it, so it must not hold line breaks that could forge their text. */
export const Name = (maxLength = 100) =>
  Type.String({ minLength: 1, maxLength, pattern: `^(?=.*\\S)[^${CONTROL_CHARACTERS}]+$` })

/** A telephone number, as its holder writes it. Mails contain it. */
export const Telephone = Name(40)

/** An e-mail address, also an international one. It has no characters that end a header or a display name. */
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

/**
 * Accepts the schema or null. A plain type becomes a list of types, so that a fault names one rule instead of two
 * branches.
 */
export function Nullable<S extends TSchema>(schema: S) {
  const { type, enum: allowed, ...rest } = schema as Described
  if (!type) return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(allowed ? { enum: [...allowed, null] } : {}),
  })
}

/** The creator of a webhook, a key or another resource that gives outside systems access to a store. */
export const CreatedBy = Nullable({
  ...Uuid,
  description: 'The staff member who created it; null if a super-admin or the service did',
})

/** The schema keyword for an empty text that means null. */
export const EMPTY_IS_NULL = 'x-empty-is-null'

/**
 * A text of a request that can be empty. `""` and null both mean no text, and the handler gets null. Responses show a
 * missing text as `""`, so a client can send a response back unchanged.
 */
export function Clearable<S extends TSchema>(schema: S) {
  const { minLength: _, pattern, ...rest } = schema as { minLength?: number; pattern?: string }
  const open = { ...rest, ...(pattern ? { pattern: `^$|${pattern}` } : {}), [EMPTY_IS_NULL]: true }
  return Nullable(open as unknown as S)
}

/** The schema keyword for an empty text that means an absent one. */
export const EMPTY_IS_ABSENT = 'x-empty-is-absent'

/**
 * A text of a request that can be omitted. Forms send `""` or null for it, which mean the same: the handler gets
 * undefined.
 */
export function Omittable<S extends TSchema>(schema: S) {
  const { minLength: _, pattern, ...rest } = schema as { minLength?: number; pattern?: string }
  const open = { ...rest, ...(pattern ? { pattern: `^$|${pattern}` } : {}), [EMPTY_IS_ABSENT]: true }
  return Type.Optional({ ...open, type: ['string', 'null'] } as unknown as S)
}
