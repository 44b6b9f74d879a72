import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { faultsOf, prepareCheck } from '#api/platform/input/validate.ts'
import { Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'

const Body = Shape({
  id: Type.Optional(Uuid),
  name: Type.Optional(Type.String({ minLength: 2, maxLength: 5 })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  price: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  on: Type.Optional(Type.Boolean()),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
  at: Type.Optional(Type.String({ format: 'date-time' })),
  day: Type.Optional(Type.String({ format: 'date' })),
  note: Type.Optional(Nullable(Type.String())),
})
const body = prepareCheck('body', Body)
const query = prepareCheck('query', Shape({ page: Type.Integer({ minimum: 1, default: 1 }) }))

// Input, and the fault it gets in Pydantic 2's words.
const FAULTS: [input: unknown, loc: string, type: string][] = [
  [{ extra: 1 }, 'body.extra', 'extra_forbidden'],
  [{ id: 'urn:uuid:01890000-0000-7000-8000-000000000000' }, 'body.id', 'uuid_parsing'],
  [{ name: 'x' }, 'body.name', 'string_too_short'],
  [{ name: 'xxxxxx' }, 'body.name', 'string_too_long'],
  [{ name: 5 }, 'body.name', 'string_type'],
  [{ count: 0 }, 'body.count', 'greater_than_equal'],
  [{ count: 10 }, 'body.count', 'less_than_equal'],
  [{ count: '5' }, 'body.count', 'int_type'],
  [{ price: 0 }, 'body.price', 'greater_than'],
  [{ on: 'true' }, 'body.on', 'bool_type'],
  [{ kind: 'c' }, 'body.kind', 'enum'],
  [{ tags: ['a', 'b', 'c'] }, 'body.tags', 'too_long'],
  [{ tags: ['a', 1] }, 'body.tags.1', 'string_type'],
  [{ at: 'yesterday' }, 'body.at', 'datetime_parsing'],
  [{ at: `2026-06-30T23:59:59.${'0'.repeat(64)}Z` }, 'body.at', 'datetime_parsing'],
  [{ at: '2026-06-30T23:59:60Z' }, 'body.at', 'datetime_parsing'],
  [{ at: '0000-12-31T00:00:00Z' }, 'body.at', 'datetime_parsing'],
  [{ at: '0001-01-01T00:00:00+01:00' }, 'body.at', 'datetime_parsing'],
  [{ at: '9999-12-31T23:59:59-01:00' }, 'body.at', 'datetime_parsing'],
  [{ at: '2026-06-30T12:00:00+16:00' }, 'body.at', 'datetime_parsing'],
  [{ day: 'yesterday' }, 'body.day', 'date_parsing'],
  [{ day: '2026-02-29' }, 'body.day', 'date_parsing'],
  [{ day: '0000-12-31' }, 'body.day', 'date_parsing'],
  [{ note: 5 }, 'body.note', 'string_type'],
  [[], 'body', 'dict_type'],
]

for (const [input, loc, type] of FAULTS)
  test(`${JSON.stringify(input)} is ${type} at ${loc}`, () => {
    const [fault, ...more] = faultsOf(body, input)

    assert.equal(fault?.loc.join('.'), loc)
    assert.equal(fault?.type, type)
    assert.deepEqual(more, [])
  })

test('ctx names the bound that a value breaks', () => {
  assert.deepEqual(faultsOf(body, { count: 0 })[0]?.ctx, { ge: 1 })
})

test('all faults are reported together, at most twenty', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${i}`, 1]))

  assert.equal(faultsOf(body, { count: 0, name: 'x' }).length, 2)
  assert.equal(faultsOf(body, many).length, 20)
})

test('a value with more than a thousand nested values reports only its first fault, and the validator keeps no value', () => {
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`x${i}`, 1]))

  assert.equal(faultsOf(body, many).length, 1)
  assert.deepEqual({ first: body.first().errors, all: body.all().errors }, { first: null, all: null })
})

test('query values are coerced to numbers, and a missing one gets its default', () => {
  const given = { page: '3' }
  const empty = {}

  assert.deepEqual(faultsOf(query, given), [])
  assert.deepEqual(faultsOf(query, empty), [])
  assert.deepEqual({ given, empty }, { given: { page: 3 }, empty: { page: 1 } })
  assert.equal(faultsOf(query, { page: 'x' })[0]?.type, 'int_parsing')
})

test('a long input is cut in the fault', () => {
  const [fault] = faultsOf(body, { name: 'x'.repeat(10_000) })

  assert.ok(String(fault?.input).length < 300)
})

test('a fault of a secret does not repeat its value', () => {
  const short = Type.String({ minLength: 9 })
  const check = prepareCheck('body', Shape({ password: short, new_password: short, name: short }))
  const faults = faultsOf(check, { password: 'Sh0rt!', new_password: 'Sh0rter!', name: 'Ada' })

  assert.deepEqual(
    faults.map(({ loc, input }) => ({ field: loc.at(-1), input })),
    [
      { field: 'password', input: undefined },
      { field: 'new_password', input: undefined },
      { field: 'name', input: 'Ada' },
    ],
  )
})

test('a number past every bound is a fault, not Infinity', () => {
  assert.equal(faultsOf(query, { page: '1e400' })[0]?.type, 'finite_number')
})
