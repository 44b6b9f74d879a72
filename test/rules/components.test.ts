import assert from 'node:assert/strict'
import { test } from 'node:test'
import { description } from './support/description.ts'

// Client generators name their types after the components of the API description.

const { paths, components } = description

interface ObjectSchema {
  properties: object
  type?: unknown
  title?: string
  description?: string
}

const isObjectSchema = (node: object): node is ObjectSchema =>
  'properties' in node && typeof node.properties === 'object' && !Array.isArray(node.properties)

/** Adds the places of each object schema of more than 600 bytes, by its text without its own description. */
function collectLarge(node: unknown, at: string, found: Map<string, string[]>): Map<string, string[]> {
  if (node === null || typeof node !== 'object') return found
  if (isObjectSchema(node)) {
    const { description: _, title: __, type: ___, ...shape } = node
    const text = JSON.stringify(shape)
    if (text.length > 600) found.set(text, [...(found.get(text) ?? []), at])
  }
  for (const [key, value] of Object.entries(node))
    if (key !== 'example') collectLarge(value, `${at}/${key}`, found)
  return found
}

const repeated = (node: object): string[][] =>
  [...collectLarge(node, '#', new Map()).values()].filter((places) => places.length > 1)

test('control: the rule reports a large schema that is repeated inline', () => {
  const large = { type: 'object', properties: { text: { type: 'string', pattern: 'a'.repeat(600) } } }
  const small = { type: 'object', properties: { text: { type: 'string' } } }

  assert.deepEqual(repeated({ a: large, b: { ...large, description: 'Again' }, c: small, d: small }), [
    ['#/a', '#/b'],
  ])
})

// A schema that a module exports becomes a component. See api/docs/schema-names.ts.
test('no object schema of more than 600 bytes is inline twice', () => {
  assert.deepEqual(repeated({ paths, schemas: components.schemas }), [])
})

const RESOURCES = [
  'Product',
  'ProductAttributeAssignment',
  'ProductQuestion',
  'Order',
  'Refund',
  'Return',
  'ReturnOrderContext',
  'ReturnOrderLine',
  'Voucher',
  'VoucherTheme',
  'Coupon',
  'Cart',
  'WishlistItem',
  'Customer',
  'Subscription',
  'RecurringPlan',
  'GeoZone',
  'RemoteCatalogItem',
  'Store',
  'Webhook',
  'PaginationMeta',
  'ValidationError',
]

test('each resource has a component of its name', () => {
  assert.deepEqual(
    RESOURCES.filter((name) => !(name in components.schemas)),
    [],
  )
})

test('the names of schemas, responses and parameters are in PascalCase', () => {
  const names = [components.schemas, components.responses, components.parameters].flatMap(Object.keys)

  assert.deepEqual(
    names.filter((name) => !/^(?:[A-Z][a-z0-9]+)+$/.test(name)),
    [],
  )
})

interface Described {
  operationId: string
  parameters: { $ref?: string }[]
  requestBody?: { content: Record<string, { schema: { $ref?: string; properties?: object } }> }
  responses: Record<string, { $ref?: string; description?: string }>
}

const operations = Object.values(paths).flatMap((item) => Object.values(item)) as Described[]

test('each JSON request with fields is a component named as a request', () => {
  const bodies = operations.flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema
    return schema?.$ref || schema?.properties ? [{ operationId, name: schema.$ref?.split('/').at(-1) }] : []
  })

  assert.deepEqual(
    bodies.filter(({ name }) => !name?.endsWith('Request')),
    [],
  )
  assert.ok(bodies.length > 100)
})

test('an error response that ten operations share is a component', () => {
  const uses = new Map<string, number>()
  for (const { responses } of operations)
    for (const [status, { $ref, description: text }] of Object.entries(responses))
      if (Number(status) >= 400 && !$ref)
        uses.set(`${status} ${text}`, (uses.get(`${status} ${text}`) ?? 0) + 1)

  assert.deepEqual(
    [...uses].filter(([, count]) => count >= 10),
    [],
  )
})

test('an operation takes If-Match if it can return 412 resource.changed, and only then', () => {
  const takesIfMatch = ({ parameters }: Described) =>
    parameters.some(({ $ref }) => $ref === '#/components/parameters/IfMatch')
  const wrong = operations.filter((operation) => takesIfMatch(operation) !== '412' in operation.responses)

  assert.deepEqual(
    wrong.map(({ operationId }) => operationId),
    [],
  )
})
