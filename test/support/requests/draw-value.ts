import { Ajv } from 'ajv'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import fc, { type Arbitrary } from 'fast-check'

/** The subset of JSON Schema that the service uses. */
interface Schema {
  const?: unknown
  enum?: unknown[]
  type?: string | string[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minProperties?: number
  pattern?: string
  format?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

/** Texts known to the service: in general, and likely values of a given field. */
export interface Words {
  any: string[]
  of: (field: string) => string[]
}

const ajv = (addFormatsModule as unknown as FormatsPlugin)(new Ajv({ strict: false }))
const MAX_ITEMS = 3
const MAX_LETTERS = 40
const MAX_CENTS = 1_000_000

/** Values of a schema, mostly from known texts, so that they pass the schema and reach the business rules. */
export function valuesOf(schema: unknown, words: Words, field = ''): Arbitrary<unknown> {
  const { const: constant, enum: choices, anyOf, type, ...rest } = schema as Schema
  if (constant !== undefined) return fc.constant(constant)
  if (choices) return fc.constantFrom(...choices)
  if (anyOf) return fc.oneof(...anyOf.map((one) => valuesOf(one, words, field)))
  if (Array.isArray(type))
    return fc.oneof(...type.map((one) => valuesOf({ ...rest, type: one }, words, field)))
  return ofType(type, rest, words, field)
}

function ofType(type: string | undefined, schema: Schema, words: Words, field: string): Arbitrary<unknown> {
  if (type === 'string') return textOf(schema, words, field)
  if (type === 'integer') return fc.integer(boundsOf(schema, 1))
  if (type === 'number') return fc.integer(boundsOf(schema, 100)).map((cents) => cents / 100)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') return itemsOf(schema, words, field)
  if (type === 'object') return objectOf(schema, words)
  return fc.jsonValue({ maxDepth: 2 })
}

function itemsOf(
  { items = {}, minItems = 0, maxItems = MAX_ITEMS }: Schema,
  words: Words,
  field: string,
): Arbitrary<unknown> {
  const most = Math.max(minItems, Math.min(maxItems, MAX_ITEMS))
  return fc.array(valuesOf(items, words, field), { minLength: minItems, maxLength: most })
}

function boundsOf({ minimum, exclusiveMinimum, maximum }: Schema, scale: number) {
  const above = exclusiveMinimum === undefined ? -MAX_CENTS : Math.floor(exclusiveMinimum * scale) + 1
  const min = Math.max(above, Math.ceil((minimum ?? -MAX_CENTS) * scale))
  return { min, max: Math.floor(Math.min((maximum ?? MAX_CENTS) * scale, MAX_CENTS)) }
}

function objectOf(schema: Schema, words: Words): Arbitrary<unknown> {
  const { properties = {}, required = [], patternProperties } = schema
  if (patternProperties) {
    const [inner = {}] = Object.values(patternProperties)
    const keys = fc.constantFrom('en', 'de', 'fr-CA')
    return fc.dictionary(keys, valuesOf(inner, words), { minKeys: schema.minProperties ?? 0, maxKeys: 2 })
  }
  const fields = Object.entries(properties).map(([name, inner]) => [name, valuesOf(inner, words, name)])
  const drawn: Record<string, Arbitrary<unknown>> = Object.fromEntries(fields)
  return fc.record(drawn, { requiredKeys: required, noNullPrototype: true })
}

/** Known texts that match the schema, preferably those of the field; sometimes a random text. */
function textOf(schema: Schema, words: Words, field: string): Arbitrary<string> {
  const check = ajv.compile({ ...schema, type: 'string' })
  const fit = (texts: string[]) => texts.filter((text): boolean => check(text))
  const [named, any] = [fit(words.of(field)), fit(words.any)]
  const choices: { weight: number; arbitrary: Arbitrary<string> }[] = [
    ...(named.length ? [{ weight: 6, arbitrary: fc.constantFrom(...named) }] : []),
    ...(any.length ? [{ weight: 2, arbitrary: fc.constantFrom(...any) }] : []),
    { weight: 1, arbitrary: freeText(schema) },
  ]
  return fc.oneof(...choices)
}

// Cached: creating one takes many times as long as drawing from it.
const matchingTexts = new Map<string, Arbitrary<string>>()

function freeText({ pattern, minLength = 0, maxLength = MAX_LETTERS }: Schema): Arbitrary<string> {
  if (!pattern || pattern.includes('(?') || pattern.includes('\\p'))
    return fc.string({
      unit: 'binary',
      minLength,
      maxLength: Math.max(minLength, Math.min(maxLength, MAX_LETTERS)),
    })
  const matching = matchingTexts.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'))
  matchingTexts.set(pattern, matching)
  return matching
}

/** The value with one invalid part. */
export function spoiled(value: unknown, odd: unknown, choose: (below: number) => number): unknown {
  if (value === null || typeof value !== 'object') return odd
  if (Array.isArray(value)) {
    const at = choose(value.length + 1)
    return at === value.length ? [...value, odd] : value.with(at, spoiled(value[at], odd, choose))
  }
  const keys = Object.keys(value)
  const key = keys[choose(keys.length + 1)]
  if (key === undefined) return { ...value, nonsense: odd }
  const { [key]: inner, ...others } = value as Record<string, unknown>
  return odd === undefined ? others : { ...others, [key]: spoiled(inner, odd, choose) }
}
