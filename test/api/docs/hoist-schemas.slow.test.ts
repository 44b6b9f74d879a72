import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { hoistSchemas } from '#api/docs/hoist-schemas.ts'
import { SchemaNames } from '#api/docs/schema-names.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'

const AddressView = Shape({ city: Type.String() }, { description: 'A place' })
const ADDRESS = { $ref: '#/components/schemas/Address' }
const NULL = { type: 'null' }

function hoist(description: unknown, exported: Record<string, unknown> = {}) {
  const names = new SchemaNames()
  names.addModule(exported)
  const { hoisted, schemas } = hoistSchemas(description, names)
  return { hoisted: JSON.parse(JSON.stringify(hoisted)), schemas: JSON.parse(JSON.stringify(schemas)) }
}

test('an exported view becomes a component that has its name without View', () => {
  const { hoisted, schemas } = hoist({ data: AddressView, list: Type.Array(AddressView) }, { AddressView })

  assert.deepEqual(hoisted, { data: ADDRESS, list: { type: 'array', items: ADDRESS } })
  assert.deepEqual(schemas, { Address: JSON.parse(JSON.stringify(AddressView)) })
})

test('an optional, a nullable and a newly described copy refer to the component of their original', () => {
  const description = {
    optional: Type.Optional(AddressView),
    nullable: Nullable(AddressView),
    described: { ...AddressView, description: 'Where to send it' },
    both: { ...Nullable(AddressView), description: 'Null: the same' },
  }
  const { hoisted, schemas } = hoist(description, { AddressView })

  assert.deepEqual(hoisted, {
    optional: ADDRESS,
    nullable: { anyOf: [ADDRESS, NULL] },
    described: { ...ADDRESS, description: 'Where to send it' },
    both: { anyOf: [ADDRESS, NULL], description: 'Null: the same' },
  })
  assert.deepEqual(Object.keys(schemas), ['Address'])
})

test('a copy with another rule stays inline', () => {
  const stricter = { ...AddressView, minProperties: 1 }
  const { hoisted, schemas } = hoist({ stricter }, { AddressView })

  assert.deepEqual(hoisted, { stricter: JSON.parse(JSON.stringify(stricter)) })
  assert.deepEqual(schemas, {})
})

test('a schema with a title becomes a component of that name', () => {
  const { hoisted, schemas } = hoist([Shape({ total: Type.Integer() }, { title: 'SalesReport' })])

  assert.deepEqual(hoisted, [{ $ref: '#/components/schemas/SalesReport' }])
  assert.partialDeepStrictEqual(schemas, { SalesReport: { properties: { total: { type: 'integer' } } } })
  assert.equal('title' in schemas.SalesReport, false)
})

test('a component refers to the components of its parts', () => {
  const OrderView = Shape({ shipping_address: AddressView })
  const { schemas } = hoist([OrderView], { OrderView, AddressView })

  assert.deepEqual(Object.keys(schemas), ['Address', 'Order'])
  assert.deepEqual(schemas.Order.properties, { shipping_address: ADDRESS })
})

test('two different schemas with one name are refused', () => {
  const AddressRequest = Shape({ street: Type.String() })
  const exported = { AddressView, Address: AddressRequest }

  assert.throws(() => hoist([AddressView, AddressRequest], exported), /Two schemas are named Address/)
})

test('a schema with the name of a given component is refused', () => {
  const names = new SchemaNames()
  names.addModule({ AddressView })

  assert.throws(() => hoistSchemas([AddressView], names, { Address: {} }), /Two schemas are named Address/)
})

test('a copy of two schemas with one shape is refused', () => {
  const PlaceView = Shape({ city: Type.String() })

  assert.throws(
    () => hoist([Type.Optional(PlaceView)], { AddressView, PlaceView }),
    /a copy of Address or Place/,
  )
})

test('schemas of parameters and queries get no component of their own', () => {
  const AddressParams = Shape({ id: Type.String() })
  const { schemas } = hoist([AddressParams], { AddressParams, AddressQuery: AddressParams })

  assert.deepEqual(schemas, {})
})

const tree = (branches: string) =>
  Type.Cyclic({ Tree: Type.Object({ [branches]: Type.Array(Type.Ref('Tree')) }) }, 'Tree')

test('a recursive schema becomes one component that refers to itself', () => {
  const { hoisted, schemas } = hoist({ first: tree('children'), second: Type.Array(tree('children')) })
  const pointer = { $ref: '#/components/schemas/Tree' }

  assert.deepEqual(hoisted, { first: pointer, second: { type: 'array', items: pointer } })
  assert.partialDeepStrictEqual(schemas, { Tree: { properties: { children: { items: pointer } } } })
})

test('two different recursive schemas with one name are refused', () => {
  assert.throws(() => hoist([tree('children'), tree('leaves')]), /Two schemas are named Tree/)
})
