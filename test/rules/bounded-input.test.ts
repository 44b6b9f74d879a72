import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '#api/endpoints.ts'

/** The keywords of a JSON schema that bound a value or hold schemas. */
interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  oneOf?: Schema[]
}

// The validator accepts no longer text in these formats (test/api/platform/input/validate.test.ts).
const BOUNDED_FORMATS = ['date', 'date-time']

/** Whether a pattern matches texts up to some length only: it is anchored, and repeats nothing without a limit. */
function isBounded(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\./g, '_').replaceAll(/\[[^\]]*\]/g, '_')
  return plain.split('|').every((part) => /^\^.*\$$/.test(part)) && !/[*+]|\{\d+,\}/.test(plain)
}

function faultOf(schema: Schema): string | null {
  const types = [schema.type].flat()
  const isOpen = schema.patternProperties ?? typeof schema.additionalProperties === 'object'
  if (types.includes('array') && schema.maxItems === undefined) return 'a list without maxItems'
  if (types.includes('object') && isOpen && schema.maxProperties === undefined)
    return 'an object of any keys without maxProperties'
  if (!types.includes('string') || schema.enum || schema.const !== undefined) return null
  const hasBound =
    schema.maxLength !== undefined ||
    BOUNDED_FORMATS.includes(schema.format ?? '') ||
    isBounded(schema.pattern ?? '')
  return hasBound ? null : 'a text without maxLength or a pattern of limited length'
}

/** The places of a schema that bound nothing. */
function unbounded(schema: Schema | undefined, place: string): string[] {
  if (!schema) return []
  const { properties = {}, patternProperties = {}, additionalProperties, items } = schema
  const fault = faultOf(schema)
  return [
    ...(fault ? [`${place}: ${fault}`] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => unbounded(inner, `${place}.${name}`)),
    ...Object.entries(patternProperties).flatMap(([keys, inner]) => [
      ...(isBounded(keys) ? [] : [`${place}: keys of any length`]),
      ...unbounded(inner, `${place}.*`),
    ]),
    ...(typeof additionalProperties === 'object' ? unbounded(additionalProperties, `${place}.*`) : []),
    ...unbounded(items, `${place}[]`),
    ...[schema.anyOf, schema.allOf, schema.oneOf].flatMap((choices) =>
      (choices ?? []).flatMap((choice) => unbounded(choice, place)),
    ),
  ]
}

test('every list, text and open object of every request has a limit', () => {
  const places = endpoints.flatMap(({ method, path, params, query, body }) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) =>
      unbounded(schema as Schema | undefined, `${method} ${path} ${part}`),
    ),
  )

  assert.deepEqual(places, [])
})

test('control: what has no limit is found', () => {
  const open: Schema = {
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: ['string', 'null'], pattern: '^[a-z]+$' } },
      map: { type: 'object', patternProperties: { '^a(-b)*$': { type: 'string', pattern: 'x{1,3}' } } },
      fine: { type: 'array', maxItems: 1, items: { type: 'string', pattern: '^$|^[a-z]{0,9}\\*?$' } },
    },
  }

  assert.deepEqual(unbounded(open, 'body'), [
    'body.list: a list without maxItems',
    'body.list[]: a text without maxLength or a pattern of limited length',
    'body.map: an object of any keys without maxProperties',
    'body.map: keys of any length',
    'body.map.*: a text without maxLength or a pattern of limited length',
  ])
})
