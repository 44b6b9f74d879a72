import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCHEMAS } from '#api/docs/components.ts'
import { endpoints } from '#api/endpoints.ts'
import '#shared/all-events.ts'
import { Type } from 'typebox'
import { eventKinds } from '#shared/platform/events/events.ts'
import { Clearable, Line, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

// The rule of absence: an absent text is `""`; an absent id, date or object is null.

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  format?: string
  title?: string
  pattern?: string
  minLength?: number
}

interface Found {
  at: string
  schema: Schema
}

/** Returns the nullable text schemas below a node. Ids, dates and enums do not count. */
function nullableTexts(node: unknown, at = '#'): Found[] {
  if (node === null || typeof node !== 'object') return []
  const below = Object.entries(node).flatMap(([key, value]) =>
    key === 'example' || key === 'examples' ? [] : nullableTexts(value, `${at}/${key}`),
  )
  return isNullableText(node) ? [{ at, schema: node }, ...below] : below
}

const isNullableText = ({ type, enum: allowed, format, title }: Schema): boolean =>
  Array.isArray(type) &&
  type.includes('string') &&
  type.includes('null') &&
  !allowed &&
  !format &&
  title !== 'UUID'

const places = (found: Found[]): string[] => found.map(({ at }) => at)

const acceptsEmpty = ({ pattern, minLength = 0 }: Schema): boolean =>
  minLength === 0 && (pattern === undefined || new RegExp(pattern, 'u').test(''))

test('control: the rule finds a nullable text, and neither ids, dates nor enums', () => {
  const schema = Shape({
    text: Nullable(Type.String()),
    list: Type.Array(Nullable(Line())),
    id: Nullable(Uuid),
    at: Nullable(Timestamp),
    kind: Nullable(Type.Enum(['a', 'b'])),
  })

  assert.deepEqual(places(nullableTexts(schema)), ['#/properties/text', '#/properties/list/items'])
  assert.equal(acceptsEmpty(Nullable(Line()) as Schema), false)
  assert.equal(acceptsEmpty(Clearable(Line()) as Schema), true)
})

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

test('no response has a text that can be null', () => {
  const responses = endpoints.flatMap((operation) =>
    places(nullableTexts(operation.returns.at(-1), nameOf(operation))),
  )
  assert.deepEqual([...responses, ...places(nullableTexts(SCHEMAS))], [])
})

test('no event has a text that can be null', () => {
  assert.deepEqual(
    [...eventKinds().values()].flatMap(({ type, data: schema }) => places(nullableTexts(schema, type))),
    [],
  )
})

test('a text of a request that can be null can be empty too', () => {
  const requests = endpoints.flatMap((operation) => nullableTexts(operation.body, nameOf(operation)))
  assert.ok(requests.length > 20)
  assert.deepEqual(places(requests.filter(({ schema }) => !acceptsEmpty(schema))), [])
})
