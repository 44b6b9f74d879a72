import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import type { TSchema } from 'typebox'
import { endpoints } from '#api/endpoints.ts'
import { description } from './support/description.ts'

const ajv = (addFormatsModule as unknown as FormatsPlugin)(new Ajv({ allErrors: true, strict: false }))

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(description)))
  assert.ok(valid, JSON.stringify(errors))
  assert.equal(validator.version, '3.1')
  assert.equal(description.info.version, '0.1.0')
})

test('the committed description equals the description of the endpoints', async () => {
  const committed = await readFile('api/openapi.json', 'utf8')
  // Not `equal`: its message would be both texts, megabytes of them.
  assert.ok(committed === `${JSON.stringify(description, null, 2)}\n`, 'run `npm run openapi`')
})

interface Reference {
  at: string
  target: string
}

/** Every `$ref` below a node of the description. Examples are data, not schemas. */
function referencesIn(node: unknown, at = '#'): Reference[] {
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'example') return []
    if (key === '$ref') return [{ at, target: String(value) }]
    return referencesIn(value, `${at}/${key}`)
  })
}

const resolvePointer = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], description)

// openapi-typescript and Redocly stop at any other reference.
test('every $ref points to a component that exists', () => {
  const broken = referencesIn(description).filter(
    ({ target }) => !target.startsWith('#/components/') || resolvePointer(target) === undefined,
  )
  assert.deepEqual(broken, [])
})

test('no schema is identified by $id or kept in $defs', () => {
  assert.doesNotMatch(JSON.stringify(description), /"\$(id|defs)":/)
})

test('every parameter in a path is declared', () => {
  for (const [path, operations] of Object.entries(description.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const { parameters } = operation as { parameters: { in?: string; name: string }[] }
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      assert.deepEqual(declared.sort(), named.sort(), `${method} ${path}`)
    }
})

test('every example fits its schema', () => {
  for (const { method, path, example, body, returns } of endpoints) {
    const name = `${method} ${path}`
    const data = ajv.compile(returns.at(-1) as TSchema)
    assert.ok(data(example.data), `${name} data: ${ajv.errorsText(data.errors)}`)
    if (!body) continue
    const request = ajv.compile(body)
    assert.ok(request(example.body), `${name} body: ${ajv.errorsText(request.errors)}`)
  }
})

test('no text of the description contains an unfilled value', () => {
  assert.doesNotMatch(JSON.stringify(description), /undefined|\[object|NaN/)
})

test('every operation has a summary, a unique id and a unique method and path', () => {
  const operations = Object.values(description.paths).flatMap((item) => Object.values(item)) as {
    operationId: string
    summary: string
  }[]
  assert.equal(operations.length, endpoints.length, 'two operations share a method and path')
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  assert.ok(operations.every(({ summary }) => summary.length >= 10))
})

test('every string and list of a request is bounded', () => {
  const open: string[] = []
  const visit = (schema: TSchema & Record<string, unknown>, at: string) => {
    const {
      type,
      maxLength,
      enum: allowed,
      const: constant,
      format,
      pattern,
      items,
      properties,
      maxItems,
    } = schema
    if (type === 'string' && !maxLength && !allowed && constant === undefined && !format && !pattern)
      open.push(at)
    if (type === 'array' && !maxItems) open.push(at)
    if (items) visit(items as never, `${at}[]`)
    for (const [name, inner] of Object.entries((properties ?? {}) as object)) visit(inner, `${at}.${name}`)
  }
  for (const { method, path, body, query, params } of endpoints)
    for (const part of [body, query, params]) if (part) visit(part as never, `${method} ${path}`)
  assert.deepEqual(open, [])
})
