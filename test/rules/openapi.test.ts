import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import type { TSchema } from 'typebox'
import { describeApi } from '#api/docs/describe.ts'
import { endpoints } from '#api/endpoints.ts'

const ajv = (addFormatsModule as unknown as FormatsPlugin)(new Ajv({ allErrors: true, strict: false }))
const description = describeApi(endpoints)

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(description)))
  assert.ok(valid, JSON.stringify(errors))
  assert.equal(validator.version, '3.1')
  assert.equal(description.info.version, '0.1.0')
})

test('the committed description is what the endpoints say', async () => {
  const committed = await readFile('api/openapi.json', 'utf8')
  // Not `equal`: its message would be both texts, megabytes of them.
  assert.ok(committed === `${JSON.stringify(description, null, 2)}\n`, 'run `npm run openapi`')
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

test('no text of the description has a hole', () => {
  assert.doesNotMatch(JSON.stringify(description), /undefined|\[object|NaN/)
})

test('every operation has a summary, its own id and a place of its own', () => {
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
